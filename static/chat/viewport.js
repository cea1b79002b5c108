// Keeps the composer above an on-screen keyboard where the layout does not shrink by itself.

export function followKeyboard(page) {
  const view = window.visualViewport;
  if (!view) return;
  view.addEventListener("resize", () => {
    const covered = view.scale === 1 && window.innerHeight - view.height > 80;
    page.style.height = covered ? `${view.height}px` : "";
    if (covered) window.scrollTo(0, 0);
  });
}
