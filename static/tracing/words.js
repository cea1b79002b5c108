// How the replay writes elements, times and costs.

export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name in node) node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

export function duration(ms) {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${ms.toFixed(0)} ms`;
  if (ms < 60000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${padded(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${padded(minutes % 60)} min`;
}

const padded = (number) => String(number).padStart(2, "0");

export function cents(dollars) {
  const amount = dollars * 100;
  if (amount === 0) return "0 ¢";
  if (amount < 0.01) return "< 0.01 ¢";
  return amount < 10 ? `${amount.toFixed(2)} ¢` : `${amount.toFixed(0)} ¢`;
}

export const words = (name) => name.replaceAll("_", " ");

export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}
