"""The tools of the site: what a model may ask for, and what the server does about it."""
