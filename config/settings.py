"""The site's Django settings. What may vary comes from `config.env`, which checks it."""

from typing import Any

import dj_database_url
from csp.constants import NONE, SELF

from config import embedded, env
from config.errors import BadSetting
from config.secret import kept_secret
from config.variables import BASE_DIR

PLUMBLINE = env.load()
env.keep_libraries_silent()

DEBUG = PLUMBLINE.django_debug
SECRET_KEY = PLUMBLINE.django_secret_key or kept_secret(PLUMBLINE.var / "secret_key")
ALLOWED_HOSTS = list(PLUMBLINE.allowed_hosts)
CSRF_TRUSTED_ORIGINS = list(PLUMBLINE.csrf_trusted_origins)

INSTALLED_APPS = [
    "daphne",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "channels",
    "csp",
    "django_htmx",
    "chat",
    "admin_tracing",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# Where the embedded server is or would be; `manage.py` and `config.asgi` start it when it is used.
EMBEDDED = None if PLUMBLINE.database_url else embedded.locate(PLUMBLINE.var / "postgres")


def _database() -> dict[str, Any]:
    """A small pool, from which each unit of work borrows a connection and gives it back."""
    url = EMBEDDED.url(user=embedded.SITE_ROLE) if EMBEDDED else PLUMBLINE.database_url
    database: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=0))
    database["OPTIONS"] = {
        **database.get("OPTIONS", {}),
        "pool": {"min_size": 1, "max_size": 12, "timeout": 10},
    }
    return database


def _owner() -> dict[str, Any]:
    """How the role that owns the tables comes in; nothing where one role does everything."""
    url = EMBEDDED.url() if EMBEDDED else PLUMBLINE.database_owner_url
    if not url:
        return {}
    known = dj_database_url.parse(url)
    if known["NAME"] != DATABASES["default"]["NAME"]:
        raise BadSetting("DATABASE_OWNER_URL", "another database", "the one of DATABASE_URL")
    return {part: known[part] for part in ("USER", "PASSWORD", "HOST", "PORT")}


DATABASES = {"default": _database()}
# For `chat.roles`: who serves may not undo a record, and another role owns the tables.
SITE_ROLE = DATABASES["default"]["USER"]
DATABASE_OWNER = _owner()
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"


def _channel_layer() -> dict[str, Any]:
    if not PLUMBLINE.redis_url:
        return {"BACKEND": "channels.layers.InMemoryChannelLayer"}
    return {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [PLUMBLINE.redis_url]},
    }


CHANNEL_LAYERS = {"default": _channel_layer()}

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "admin:login"

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True  # served from the packages and static/, without a build step

# The page needs its own scripts, styles, images and socket, and nothing of anybody else.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
        "manifest-src": [SELF],
    },
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"

# Behind a proxy that speaks https, named by its origin, cookies and redirects insist on https.
# On plain http at localhost they must not, or nobody could log in.
BEHIND_HTTPS = any(origin.startswith("https://") for origin in CSRF_TRUSTED_ORIGINS)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_HTTPS else None
SESSION_COOKIE_SECURE = BEHIND_HTTPS
CSRF_COOKIE_SECURE = BEHIND_HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if BEHIND_HTTPS else 0
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = False  # the page's scripts read it to send it as a header

DATA_UPLOAD_MAX_MEMORY_SIZE = 20 * 1024 * 1024

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {
            "class": "config.redacting.RedactingFormatter",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        },
    },
    # The one handler of the site: every logger of ours, of Django, daphne and asyncio ends in it.
    "handlers": {"stderr": {"class": "config.redacting.RedactingHandler", "formatter": "plain"}},
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.server": {"handlers": [], "level": "INFO", "propagate": True},
        "daphne": {"level": "WARNING"},
        "httpx2": {"level": "WARNING"},
        "openai": {"level": "WARNING"},
        "psycopg.pool": {"level": "WARNING"},
    },
}
