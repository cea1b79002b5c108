// On a phone the bar's entries scroll: the present one is brought into sight.

const nav = document.querySelector(".bar nav");
const here = nav.querySelector("[aria-current]");
if (here) nav.scrollLeft = here.offsetLeft - nav.offsetLeft - (nav.clientWidth - here.offsetWidth) / 2;
