// The pieces of chess and Makruk as one family, drawn for this project and dedicated to the public domain (CC0 1.0).
//
// Each stands on the same foot in a box of 100 by 100. All but the knight are turned on a lathe: a list of half-widths
// from top to bottom, mirrored.

/** A drawing: a filled outline, and lines drawn over it. */
export interface Drawing { outline: string; lines: string }

type Profile = readonly (readonly [halfWidth: number, y: number])[];

function lathe(profile: Profile): string {
  const right = profile.map(([half, y]) => `${50 + half} ${y}`);
  const left = profile.toReversed().map(([half, y]) => `${50 - half} ${y}`);
  return `M${[...right, ...left].join('L')}Z`;
}

function disc(x: number, y: number, radius: number): string {
  return `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;
}

/** A horizontal line across the piece. */
function ring(half: number, y: number): string {
  return `M${50 - half} ${y}H${50 + half}`;
}

const FOOT: Profile = [[24, 80], [30, 90]];
const FOOT_RING = ring(25, 80);

const HORSE =
  'M26 90L29 80C30 66 42 62 45 50L31 57C26 60 20 56 19 50C18 46 21 43 24 40L37 24L38 13L48 19C68 20 77 40 74 80L76 90Z';

/** The drawings of chess, by the letter of the role in a FEN. */
const CHESS: Record<string, Drawing> = {
  p: { outline: lathe([[13, 46], [9, 54], [12, 66], [20, 76], ...FOOT]) + disc(50, 33, 15), lines: ring(13, 47) + FOOT_RING },
  r: {
    outline: 'M23 17H35V25H43V17H57V25H65V17H77V36L69 42V68L74 76V80L80 90H20L26 80V76L31 68V42L23 36Z',
    lines: ring(19, 42) + ring(19, 68) + FOOT_RING,
  },
  n: { outline: HORSE, lines: `${disc(42, 35, 2)}M56 24C66 34 66 50 64 68M27 80H75` },
  b: {
    outline: lathe([[5, 18], [17, 36], [18, 46], [11, 57], [13, 60], [10, 64], [15, 74], ...FOOT]) + disc(50, 13, 6),
    lines: `M58 27L48 42${ring(12, 58)}${FOOT_RING}`,
  },
  q: {
    outline: 'M20 90L26 80L28 72L14 30L30 50L33 22L45 47L50 17L55 47L67 22L70 50L86 30L72 72L74 80L80 90Z'
      + disc(14, 27, 5) + disc(33, 19, 5) + disc(50, 14, 5) + disc(67, 19, 5) + disc(86, 27, 5),
    lines: ring(23, 70) + FOOT_RING,
  },
  k: {
    outline: 'M46 5H54V12H61V20H54V29H46V20H39V12H46Z'
      + 'M50 42C54 26 84 24 86 43C87 55 76 62 73 70L74 80L80 90H20L26 80L27 70C24 62 13 55 14 43C16 24 46 26 50 42Z',
    lines: `M50 42V66${ring(23, 70)}${FOOT_RING}`,
  },
};

/** The drawings of Makruk: stupas for khun, met and khon, a boat for ruea, the horse, a shell for bia. */
const MAKRUK: Record<string, Drawing> = {
  k: {
    outline: lathe([[1, 4], [4, 20], [9, 26], [8, 32], [15, 40], [14, 46], [22, 56], [20, 62], [25, 70], ...FOOT]),
    lines: ring(8, 27) + ring(14, 41) + ring(21, 57) + ring(25, 70) + FOOT_RING,
  },
  m: {
    outline: lathe([[1, 34], [4, 46], [12, 52], [20, 62], [19, 70], [24, 76], ...FOOT]),
    lines: ring(12, 52) + ring(20, 64) + FOOT_RING,
  },
  s: {
    outline: lathe([[1, 18], [4, 32], [13, 38], [20, 48], [22, 58], [19, 66], [24, 74], ...FOOT]),
    lines: ring(13, 38) + ring(21, 60) + FOOT_RING,
  },
  n: CHESS.n as Drawing,
  r: {
    outline: lathe([[16, 40], [24, 42], [27, 50], [27, 66], [22, 72], ...FOOT]),
    lines: ring(24, 49) + ring(26, 66) + FOOT_RING,
  },
  p: {
    outline: lathe([[10, 58], [19, 62], [25, 70], [27, 80], [26, 86], [20, 90]]),
    lines: ring(26, 80) + 'M42 66C40 70 40 74 40 80M58 66C60 70 60 74 60 80',
  },
  // A bia that has been turned over: the same shell with its mouth up.
  '~': {
    outline: lathe([[20, 58], [26, 62], [27, 70], [25, 80], [19, 88], [10, 90]]),
    lines: ring(26, 68) + 'M40 68C40 76 41 82 43 88M60 68C60 76 59 82 57 88',
  },
};

const NAMES: Record<string, string> = { k: 'king', q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' };
const THAI: Record<string, string> = {
  k: 'khun', m: 'met', s: 'khon', n: 'ma', r: 'ruea', p: 'bia', '~': 'promoted bia',
};

/** True for the games with the pieces of Makruk. */
export function isMakruk(variant: string): boolean {
  return variant === 'makruk' || variant === 'makpong' || variant === 'asean';
}

/** The letters of the roles of a variant, the king first. */
export function roles(variant: string): string[] {
  return isMakruk(variant) ? ['k', 'm', 's', 'n', 'r', 'p', '~'] : ['k', 'q', 'r', 'b', 'n', 'p'];
}

/** The piece of a FEN as `roles` has it: a FEN of ASEAN writes the met as a queen, and the khon as a bishop. */
export function ofFen(piece: string, variant: string): string {
  const letter = variant === 'asean' ? { Q: 'M', q: 'm', B: 'S', b: 's' }[piece] : undefined;
  return letter ?? piece;
}

/** The international symbols of the pieces that only Makruk has. */
const INTERNATIONAL: Record<string, string> = { m: 'q', s: 'b', '~': 'q' };

/** The drawing of a piece: `N`, `n`, or `M~` for a promoted bia. */
export function drawing(piece: string, variant: string, isInternational = false): Drawing | null {
  const letter = piece.endsWith('~') && isMakruk(variant) ? '~' : ofFen(piece.charAt(0), variant).toLowerCase();
  if (isInternational) return CHESS[INTERNATIONAL[letter] ?? letter] ?? null;
  return (isMakruk(variant) ? MAKRUK : CHESS)[letter] ?? CHESS[letter] ?? MAKRUK[letter] ?? null;
}

/** The name of a piece for people: "white knight". */
export function pieceName(piece: string, variant: string): string {
  const color = piece.charAt(0) === piece.charAt(0).toUpperCase() ? 'white' : 'black';
  const letter = piece.endsWith('~') ? '~' : ofFen(piece.charAt(0), variant).toLowerCase();
  const name = (isMakruk(variant) ? THAI : NAMES)[letter] ?? THAI[letter] ?? NAMES[letter] ?? piece;
  return `${color} ${name}`;
}
