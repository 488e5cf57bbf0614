// Numbers and dates for people.

const NUMBERS = new Intl.NumberFormat('en-US');

export function count(value: number): string {
  return NUMBERS.format(value);
}

/** A number of things: "1 game", "1,234 games". */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** The time of a search. */
export function searched(milliseconds: number): string {
  return `in ${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
}

/** A date of PGN without its unknown parts: "2004.??.??" is 2004. */
export function date(text: string | null): string {
  return (text ?? '').replace(/[.-]\?\?/g, '').replace('????', '').replaceAll('.', '-');
}

/** An evaluation from White's side: "+0.31", "−1.20", "#−3". */
export function evaluation({ cp, mate }: { cp?: number; mate?: number }): string {
  if (mate !== undefined) return `#${mate < 0 ? '−' : ''}${Math.abs(mate)}`;
  const pawns = (cp ?? 0) / 100;
  return `${pawns < 0 ? '−' : '+'}${Math.abs(pawns).toFixed(2)}`;
}

/** Seconds as a clock: "1:02:03", "9:58". */
export function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** A message as a sentence: with a capital and a full stop. */
export function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!]$/.test(whole) ? whole : `${whole}.`;
}
