// The fields of the filter, and a condition in the words of its field.

import { SWITCHES } from './address';

export interface Field {
  name: string;
  label: string;
  /** What the condition means, where the label leaves a question. */
  title?: string;
  hint?: string;
  completes?: 'players' | 'events' | 'openings';
  choices?: [string, string][];
  /** Values with their names, of which one may be chosen instead of typing another. */
  suggestions?: Readonly<Record<string, string>>;
  size?: 'wide' | 'long';
  isRare?: boolean;
  /** True for the end of a range, which stands beside its beginning. */
  isEnd?: boolean;
}

/** Endings of chess by their material, with their names. */
export const ENDINGS: Readonly<Record<string, string>> = {
  'P*vP*': 'pawn ending', 'RP*vRP*': 'rook ending', 'R2P*vR2P*': 'double rook ending', 'QP*vQP*': 'queen ending', 'BP*vBP*': 'bishop ending', 'NP*vNP*': 'knight ending',
  'BP*vNP*': 'bishop v knight', 'RP*vBP*': 'rook v bishop', 'RP*vNP*': 'rook v knight', 'RBP*vRNP*': 'rook and bishop v rook and knight', 'QP*vR2P*': 'queen v two rooks',
};

export const FIELDS: Field[] = [
  { name: 'player', label: 'Player', completes: 'players', size: 'wide', title: 'White or Black has these words in the name' },
  { name: 'as', label: 'Color', choices: [['', 'either'], ['white', 'White'], ['black', 'Black']], title: 'The color of the player' },
  { name: 'opponent', label: 'Opponent', completes: 'players', size: 'wide' },
  { name: 'result', label: 'Result', choices: [['', 'any'], ['1-0', '1–0'], ['1/2-1/2', '½–½'], ['0-1', '0–1'], ['win', 'player won'], ['draw', 'draw'], ['loss', 'player lost']] },
  { name: 'min_elo', label: 'Rating from', hint: '2500', title: 'The least rating of both players' }, { name: 'max_elo', label: 'to', hint: '2800', isEnd: true, title: 'The greatest rating of both players' },
  { name: 'since', label: 'Date from', hint: '1999', title: 'A year, month or day: 1999, 1999-05, 1999-05-31' }, { name: 'until', label: 'to', hint: '2021', isEnd: true, title: 'A year, month or day: 1999, 1999-05, 1999-05-31' },
  { name: 'opening', label: 'Opening', completes: 'openings', size: 'wide', title: "The opening's name has these words; in quotation marks it is a whole name, and finds the opening with its variations" },
  { name: 'min_plies', label: 'Plies from', hint: '20', isRare: true, title: 'The least length of the game, in half-moves' }, { name: 'max_plies', label: 'to', hint: '60', isRare: true, isEnd: true, title: 'The greatest length of the game, in half-moves' },
  { name: 'event', label: 'Event', completes: 'events', size: 'wide', isRare: true },
  { name: 'material', label: 'Material', hint: 'RPPvRP', size: 'long', isRare: true, suggestions: ENDINGS, title: 'The pieces beside the kings, White v Black: RP4vRP3 is rook and four pawns against rook and three; P2+ two or more, P* any number' },
  { name: 'comment', label: 'Comment has', hint: 'words', size: 'long', isRare: true },
  { name: 'annotated', label: 'Annotated', isRare: true, title: 'Only games with comments, glyphs or variations' },
  { name: 'white', label: 'White', completes: 'players', size: 'wide', isRare: true },
  { name: 'black', label: 'Black', completes: 'players', size: 'wide', isRare: true },
  { name: 'exact', label: 'Whole names', isRare: true, title: 'Names are the whole names of the games, not words of them' },
  { name: 'site', label: 'Site', hint: 'words', size: 'long', isRare: true },
  { name: 'eco', label: 'ECO', hint: 'B90-B99', size: 'long', isRare: true, title: "The tag ECO of the game's file, or the code of the opening where it has none" },
  { name: 'year', label: 'Years', hint: '1990-1995', size: 'long', isRare: true },
  { name: 'speed', label: 'Speed', choices: ['', 'ultrabullet', 'bullet', 'blitz', 'rapid', 'classical', 'correspondence'].map((name) => [name, name || 'any']), isRare: true },
  { name: 'time_control', label: 'Time control', hint: '3+2', isRare: true, title: 'Minutes and increment in seconds: 3+2' },
  { name: 'ended', label: 'Ended by', choices: [['', 'any'], ['checkmate', 'checkmate'], ['stalemate', 'stalemate'], ['insufficient_material', 'bare kings'], ['counting', 'counting']], isRare: true, title: 'How the game ended on the board' },
  { name: 'played', label: 'Moves in a row', hint: 'Bxh7+ Kxh7 Ng5+', size: 'wide', isRare: true, title: 'These moves follow each other somewhere in the game' },
  { name: 'imbalance', label: 'Imbalance', hint: 'QvRR', size: 'long', isRare: true, title: "White's extra pieces v Black's: QvRR is a queen for two rooks; pawns count only if they are named" },
  { name: 'pawns', label: 'All pawns', hint: 'd4f2ve6f7', size: 'long', isRare: true, title: 'The squares of all pawns, White v Black' },
  { name: 'final', label: 'Board at the end', isRare: true, title: 'The conditions on the board hold in the last position' },
  { name: 'in_variations', label: 'In variations', isRare: true, title: 'Also search variations, not only the moves played' },
  { name: 'ids', label: 'Numbers', hint: '1,5,10-20', size: 'long', isRare: true, title: "The games' numbers in the archive, as game= in the address of an opened game" },
  { name: 'sample', label: 'Sample', hint: '1%', isRare: true, title: 'A random part of the archive, of which the other conditions choose: 1%' },
  { name: 'seed', label: 'Seed', hint: '0', isRare: true, title: 'Another number draws another sample' },
];

/** The pawn structures, with their names. */
export const STRUCTURES: Readonly<Record<string, string>> = {
  iqp: "isolated queen's pawn", carlsbad: 'Carlsbad', hanging: 'hanging pawns', hedgehog: 'Hedgehog', maroczy: 'Maroczy', stonewall: 'Stonewall',
  benoni: 'Benoni', 'kings-indian': "King's Indian", french: 'French', 'caro-kann': 'Caro-Kann', dragon: 'Dragon', scheveningen: 'Scheveningen',
};

/** The name of an opening as the condition on exactly it and its variations. */
export function wholeOpening(name: string): string {
  return `"${name}"`;
}

const STARTS: Readonly<Record<string, string>> = { max_elo: 'Rating', until: 'Date', max_plies: 'Plies' };

/** A condition as the form says it: "Rating from: 2600", "for 20 plies", "Hedgehog, White". */
export function condition(name: string, value: string): string {
  if (name === 'structure') {
    const [, side = '', structure = value] = /^(?:(white|black):)?(.*)$/.exec(value) ?? [];
    return `${STRUCTURES[structure] ?? structure}${side === '' ? '' : `, ${side === 'white' ? 'White' : 'Black'}`}`;
  }
  if (name === 'material' && ENDINGS[value]) return `Material: ${ENDINGS[value]}`;
  if (name === 'for') return `for ${value} plies`;
  const field = FIELDS.find((one) => one.name === name);
  const label = STARTS[name] ? `${STARTS[name]} to` : (field?.label ?? name.replaceAll('_', ' '));
  if (SWITCHES.has(name)) return label;
  return `${label}: ${field?.choices?.find(([one]) => one === value)?.[1] ?? value}`;
}
