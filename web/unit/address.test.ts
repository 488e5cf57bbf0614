import { describe, expect, it } from 'vitest';
import { commandLine, conditions, explored, fresh, read, shellWord, write } from '../src/lib/address';

describe('address', () => {
  it('restores every state that it writes', () => {
    const view = {
      ...fresh(), archive: 'masters', variant: 'makruk', moves: ['e3e4', 'd6d5'], ply: 1, others: [['e3e4', 'c6c5'], ['d3d4']], mode: 'setup' as const,
      filter: { player: "O'Kelly, A & B", min_elo: '2500', pattern: '8/8/3[Bq_]4/8/8/8/8/8', structure: 'iqp' }, sort: '-date', groups: 'score', min_games: '20',
      panel: 'player' as const, lab: 'Kindergarten,Q,h8,ff', game: 7, node: 12, isFlipped: true, isInternational: true,
    };
    expect(read(write(view))).toEqual(view);
  });

  it("leaves out the archive's usual variant alone", () => {
    const view = { ...fresh(), archive: 'thai', variant: 'makruk' };
    const usual = (archive: string) => (archive === 'thai' ? 'makruk' : 'chess');
    expect(write(view, 'makruk')).toBe('archive=thai');
    expect(read('archive=thai', usual)).toEqual(view);
    const other = { ...view, variant: 'chess' };
    expect(write(other, 'makruk')).toBe('archive=thai&variant=chess');
    expect(read(write(other, 'makruk'), usual)).toEqual(other);
  });

  it('is empty for a fresh page', () => {
    expect(write(fresh())).toBe('');
    expect(read('')).toEqual(fresh());
  });

  it('passes over what it does not know and what cannot be', () => {
    const view = read('?ply=99&moves=e2e4&game=-3&node=7&panel=nothing&where=drop&board=upside');
    expect(view).toEqual({ ...fresh(), moves: ['e2e4'], ply: 1 });
  });

  it('asks for games that reach the board, or for those that have the pattern', () => {
    const view = { ...fresh(), moves: ['e2e4', 'e7e5'], ply: 1, filter: { player: 'tal', pattern: '8/8/8/8/3P4/8/8/8' } };
    expect(conditions(view)).toEqual({ player: 'tal', moves: 'e2e4' });
    expect(conditions({ ...fresh(), filter: { exact: '1' } })).toEqual({});
    expect(conditions({ ...fresh(), filter: { exact: '1', white: 'tal' } })).toEqual({ exact: '1', white: 'tal' });
    expect(conditions({ ...view, mode: 'setup' })).toEqual({ player: 'tal', pattern: '8/8/8/8/3P4/8/8/8' });
    expect(explored({ ...view, mode: 'setup' })).toEqual({ player: 'tal', moves: 'e2e4', pattern: '8/8/8/8/3P4/8/8/8' });
  });

  it('leaves out words about conditions that are not there', () => {
    const filter = { mirrored: '1', for: '10', pattern: '8/8/8/8/3P4/8/8/8', in_variations: '1' };
    const view = { ...fresh(), filter };
    expect(conditions(view)).toEqual({});
    expect(conditions({ ...view, mode: 'setup' })).toEqual({ mirrored: '1', for: '10', pattern: '8/8/8/8/3P4/8/8/8', in_variations: '1' });
    expect(conditions({ ...view, moves: ['e2e4'], ply: 1 })).toEqual({ moves: 'e2e4', in_variations: '1' });
    expect(explored({ ...view, moves: ['e2e4'], ply: 1 })).toEqual({ moves: 'e2e4' });
    expect(conditions({ ...view, filter: { material: 'RvR', final: '1' } })).toEqual({ material: 'RvR', final: '1' });
  });

  it('writes a command that a shell reads as meant', () => {
    const view = { ...fresh(), archive: 'my games', filter: { player: "O'Kelly", mirrored: '1', structure: 'iqp', min_elo: '2500', id: '1-9', passed: 'a, black:h' }, sort: '-date' };
    expect(commandLine(view)).toBe("halfmove search 'my games' --player 'O'\\''Kelly' --mirrored --structure iqp --min-elo 2500 --id 1-9 --passed a --passed black:h --sort=-date");
    expect(shellWord('$(reboot)')).toBe("'$(reboot)'");
  });

  it('reads each variation once, and no line with which another one begins', () => {
    const others = (text: string) => read(`?moves=e2e4,e7e5&others=${text}`).others;
    expect(others('e2e4,c7c5;e2e4,c7c5')).toEqual([['e2e4', 'c7c5']]);
    expect(others('e2e4;d2d4;d2d4,d7d5;e2e4,e7e5;;nonsense')).toEqual([['d2d4', 'd7d5']]);
  });
});
