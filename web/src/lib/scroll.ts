// Rows of a fixed height in a box that scrolls. Browsers limit the height of an element, so that past this limit a pixel
// of scrolling stands for more than a pixel of rows.

const TALLEST = 8_000_000;

export interface Window { height: number; first: number; last: number; top: number }

/** The height of the box, the rows in view, and where the first of them is drawn. */
export function rowsInView(count: number, rowHeight: number, scrollTop: number, viewHeight: number): Window {
  const full = count * rowHeight;
  const height = Math.min(full, TALLEST);
  const most = Math.max(0, full - viewHeight);
  const scrolled = Math.max(0, Math.min(scrollTop, Math.max(0, height - viewHeight)));
  const shift = height === full ? scrolled : (scrolled / (height - viewHeight)) * most;
  const first = Math.max(0, Math.min(Math.floor(shift / rowHeight), count - 1));
  const last = Math.min(count - 1, Math.ceil((shift + viewHeight) / rowHeight));
  return { height, first, last, top: scrolled - (shift - first * rowHeight) };
}

/** The place to scroll to so that a row is in view; the present place if it is. */
export function scrollTo(row: number, count: number, rowHeight: number, scrollTop: number, viewHeight: number): number {
  const { height, first, last } = rowsInView(count, rowHeight, scrollTop, viewHeight);
  if (row > first && row < last - 1) return scrollTop;
  const place = row <= first ? row * rowHeight : (row + 1) * rowHeight - viewHeight + rowHeight;
  const full = count * rowHeight;
  return height === full ? place : (Math.max(0, place) / (full - viewHeight)) * (height - viewHeight);
}
