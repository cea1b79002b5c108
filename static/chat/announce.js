// What a screen reader is told: the latest words only, politely, never token by token.

const GATHER = 500; // ms; stages that pass quicker than this are not read out one by one

export function announcer(element) {
  let timer = null;
  return (words) => {
    clearTimeout(timer);
    timer = setTimeout(() => { element.textContent = words; }, GATHER);
  };
}
