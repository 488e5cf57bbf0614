// The server's answers, made from openapi.json by `npm run types`.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The archives */
        ArchiveList: {
            /** @description The first is the default */
            archives: components["schemas"]["ArchiveSummary"][];
            /** @description True if some archive is changeable */
            changeable: boolean;
            /** @description True if the engine can be asked */
            engine: boolean;
            /** @description The name and version of the program */
            program: string;
            /** @description True if queries in SQL are answered */
            sql: boolean;
            /** @description Those that cannot be read now */
            unreadable: components["schemas"]["Unreadable"][];
        };
        /** @description An archive */
        ArchiveSummary: components["schemas"]["Counts"] & {
            /** Format: int64 */
            bytes: number;
            /** @description True if games may be imported into it, and its changes undone */
            changeable: boolean;
            /** Format: int64 */
            first_year: number | null;
            /** Format: int64 */
            games: number;
            /** Format: int64 */
            last_year: number | null;
            name: string;
            /** Format: int64 */
            plies: number;
            /** @description The number of games of each variant */
            variants: {
                [key: string]: number;
            };
            /** Format: int64 */
            version: number;
        };
        /** @description An arrow */
        Arrow: {
            /** @description G, R, Y or B */
            color: string;
            from: string;
            to: string;
        };
        /** @description A change of an archive */
        Change: {
            /** @description create, import, remove, undo … */
            change: string;
            /** Format: int64 */
            games: number;
            /** Format: int64 */
            games_added: number;
            /** Format: int64 */
            games_changed: number;
            /** Format: int64 */
            games_removed: number;
            /** @description The names of the files of an import */
            sources: string[];
            /** @description In UTC */
            time: string | null;
            /** Format: int64 */
            version: number;
        };
        /** @description The changes of an archive */
        ChangeList: {
            archive: string;
            /** @description The newest last */
            changes: components["schemas"]["Change"][];
            /** Format: int64 */
            version: number;
        };
        /** @description A colored square */
        Circle: {
            /** @description G, R, Y or B */
            color: string;
            square: string;
        };
        /** @description Games that are, or may be, the same */
        Copies: {
            /**
             * Format: int64
             * @description The game to keep
             */
            best?: number;
            /** @description moves, players, date, result */
            differences?: string[];
            ids: number[];
        };
        /** @description A count of Makruk */
        Count: {
            /** @description The side that counts */
            color: string;
            /** @description board or pieces */
            kind: string;
            /** Format: int32 */
            limit: number;
            /** Format: int32 */
            limit_ply: number;
            /**
             * Format: int32
             * @description The number for people: `number` of `limit`
             */
            number: number;
            /**
             * Format: int32
             * @description In half-moves, as in a FEN
             */
            ply: number;
        };
        /** @description The number of games that match */
        Counted: {
            archive: string;
            /** Format: int64 */
            count: number;
            /** Format: double */
            milliseconds: number;
            /** Format: int64 */
            version: number;
        };
        /** @description Games by their result. */
        Counts: {
            /**
             * Format: int64
             * @description Games that Black won
             */
            black: number;
            /**
             * Format: int64
             * @description Drawn games
             */
            draws: number;
            /**
             * Format: int64
             * @description Games without one of these results
             */
            other: number;
            /**
             * Format: int64
             * @description Games that White won
             */
            white: number;
        };
        /** @description Duplicate games */
        Duplicates: {
            archive: string;
            /**
             * Format: int64
             * @description The number of games that are copies of others: all but the best of each exact group and of each group of twins
             */
            copies: number;
            counts: components["schemas"]["Kinds"];
            /** @description The same moves, players, date and result */
            exact: components["schemas"]["Copies"][];
            /**
             * Format: int64
             * @description The number of games that were compared
             */
            games: number;
            /** @description Perhaps the same game */
            near: components["schemas"]["Copies"][];
            /** @description The same moves and compatible tags */
            twins: components["schemas"]["Copies"][];
            /** Format: int64 */
            version: number;
        };
        /** @description The end of a game */
        End: {
            /** @description checkmate, stalemate, insufficient_material … */
            reason: string;
            result: string;
            winner: string | null;
        };
        /** @description An evaluation from White's side: in centipawns, or the moves to mate */
        Evaluation: {
            /** Format: int32 */
            cp?: number;
            /**
             * Format: int32
             * @description Negative if Black mates
             */
            mate?: number;
        };
        /** @description Games with the same event and site */
        Event: {
            /** Format: double */
            average_elo: number | null;
            event: string;
            /** Format: int32 */
            first_year: number | null;
            /** Format: int64 */
            games: number;
            /** Format: int32 */
            last_year: number | null;
            /** Format: int64 */
            players: number;
            site: string;
        };
        /** @description Events */
        Events: {
            archive: string;
            count: number;
            /** @description Those with the most games first */
            events: components["schemas"]["Event"][];
            /** Format: int64 */
            version: number;
        };
        /** @description The moves played in a position */
        Explored: components["schemas"]["Counts"] & components["schemas"]["Ratings"] & {
            /**
             * Format: int64
             * @description Games in which both players have the name
             */
            player_both?: number;
            /** Format: int64 */
            player_draws?: number;
            /** Format: int64 */
            player_losses?: number;
            /**
             * Format: int64
             * @description Games without one of these results
             */
            player_other?: number;
            /**
             * Format: double
             * @description The points out of the games won, drawn or lost, in percent
             */
            player_percent?: number | null;
            /** Format: int64 */
            player_wins?: number;
        } & {
            archive: string;
            fen: string;
            history?: components["schemas"]["Year"][];
            /**
             * Format: double
             * @description The time of the search
             */
            milliseconds: number;
            /** @description Those with the most games first */
            moves: components["schemas"]["Played"][];
            opening: components["schemas"]["Named"] | null;
            recentGames: components["schemas"]["InGame"][];
            topGames: components["schemas"]["InGame"][];
            turn: string;
            /** Format: int64 */
            version: number;
        };
        /** @description A page of the games that match */
        Found: {
            /**
             * Format: int64
             * @description Games in which both players have the name
             */
            player_both?: number;
            /** Format: int64 */
            player_draws?: number;
            /** Format: int64 */
            player_losses?: number;
            /**
             * Format: int64
             * @description Games without one of these results
             */
            player_other?: number;
            /**
             * Format: double
             * @description The points out of the games won, drawn or lost, in percent
             */
            player_percent?: number | null;
            /** Format: int64 */
            player_wins?: number;
        } & {
            archive: string;
            /**
             * Format: int64
             * @description The number of all games that match
             */
            count: number;
            games: components["schemas"]["Listed"][];
            /**
             * Format: double
             * @description The time of the search
             */
            milliseconds: number;
            offset: number;
            /** Format: int64 */
            version: number;
        };
        /** @description A glyph */
        Glyph: {
            /** Format: int32 */
            number: number;
            /** @description `!`, `?!`, `+-` … */
            symbol: string | null;
        };
        /** @description Games with a common value */
        Group: components["schemas"]["Counts"] & {
            /** @description decade, eco or rating */
            by: string;
            /** Format: int64 */
            games: number;
            /** @description null: unknown */
            value: string | null;
        };
        /** @description A game, with the move that was played in the position */
        InGame: components["schemas"]["Short"] & {
            san: string | null;
            uci: string | null;
        };
        /** @description The number of groups of each kind */
        Kinds: {
            exact: number;
            near: number;
            twins: number;
        };
        /** @description A legal move */
        Legal: {
            capture: boolean;
            castling: boolean;
            en_passant: boolean;
            /** @description The position after it */
            fen: string;
            from: string;
            /** @description The kind of piece that a pawn becomes */
            promotion: string | null;
            san: string;
            to: string;
            /** @description Castling in chess is e1g1, in Chess960 king takes rook */
            uci: string;
        };
        /** @description A game in a list */
        Listed: {
            black: string | null;
            /** Format: int32 */
            black_elo: number | null;
            /** @description The tag as it was written, even if incomplete: 1924.??.?? */
            date: string | null;
            eco: string | null;
            event: string | null;
            /** Format: int64 */
            id: number;
            /** Format: int32 */
            plies: number;
            /**
             * Format: int32
             * @description The half-move at which the position or the other conditions first match
             */
            ply: number | null;
            result: string;
            round: string | null;
            site: string | null;
            variant: string;
            white: string | null;
            /** Format: int32 */
            white_elo: number | null;
        } & {
            [key: string]: unknown;
        };
        /** @description An opening */
        Named: {
            eco: string;
            name: string;
        };
        /** @description A similar name */
        Near: {
            /** Format: int64 */
            games: number;
            name: string;
        };
        /** @description A move, or the start */
        Node: {
            arrows: components["schemas"]["Arrow"][];
            /** @description Comments before the first move of a variation */
            before?: string[];
            check: boolean;
            /**
             * Format: double
             * @description The time left, in seconds
             */
            clock: number | null;
            comments: string[];
            counting: components["schemas"]["Count"] | null;
            /**
             * Format: double
             * @description The time that the move took, in seconds
             */
            elapsed: number | null;
            evaluation: components["schemas"]["Evaluation"] | null;
            /** @description The position after it */
            fen: string;
            /** @description True if it belongs to the main line */
            main: boolean;
            nags: components["schemas"]["Glyph"][];
            /** @description The index of the node before it; null for the start */
            parent: number | null;
            ply: number;
            san: string | null;
            squares: components["schemas"]["Circle"][];
            /** @description Castling in chess is e1g1, in Chess960 king takes rook; a null move is 0000 */
            uci: string | null;
            /** @description Words in place of moves that could not be played */
            words: string[];
        };
        /** @description A named position, and the moves that lead to it */
        Opening: {
            eco: string;
            moves: string;
            name: string;
        };
        /** @description Openings */
        Openings: {
            count: number;
            openings: components["schemas"]["Opening"][];
        };
        /** @description A place in a query in SQL. */
        Place: {
            /**
             * Format: int64
             * @description The column in characters, from 1.
             */
            column: number;
            /**
             * Format: int64
             * @description The line, from 1.
             */
            line: number;
        };
        /** @description A move that was played */
        Played: components["schemas"]["Counts"] & components["schemas"]["Ratings"] & {
            /**
             * Format: int64
             * @description Games in which both players have the name
             */
            player_both?: number;
            /** Format: int64 */
            player_draws?: number;
            /** Format: int64 */
            player_losses?: number;
            /**
             * Format: int64
             * @description Games without one of these results
             */
            player_other?: number;
            /**
             * Format: double
             * @description The points out of the games won, drawn or lost, in percent
             */
            player_percent?: number | null;
            /** Format: int64 */
            player_wins?: number;
        } & {
            game: components["schemas"]["Short"] | null;
            opening: components["schemas"]["Named"] | null;
            /**
             * Format: int64
             * @description The number of games in which the position after it arises, by any order of moves
             */
            reached?: number;
            san: string;
            /** @description Castling is king takes rook: e1h1 */
            uci: string;
        };
        /** @description A player: a name as it is spelled in some games */
        Player: components["schemas"]["PlayerScore"] & {
            /** Format: int32 */
            first_year: number | null;
            /** Format: int64 */
            games: number;
            /** Format: int32 */
            highest_elo: number | null;
            /** Format: int32 */
            last_year: number | null;
            name: string;
        };
        /** @description The results of the player that the filter names; absent if it names none. */
        PlayerScore: {
            /**
             * Format: int64
             * @description Games in which both players have the name
             */
            player_both: number;
            /** Format: int64 */
            player_draws: number;
            /** Format: int64 */
            player_losses: number;
            /**
             * Format: int64
             * @description Games without one of these results
             */
            player_other: number;
            /**
             * Format: double
             * @description The points out of the games won, drawn or lost, in percent
             */
            player_percent: number | null;
            /** Format: int64 */
            player_wins: number;
        };
        /** @description Players */
        Players: {
            archive: string;
            /** @description The number of names that match */
            count: number;
            /** @description Similar names, if none matches */
            near: components["schemas"]["Near"][];
            /** @description Those with the most games first */
            players: components["schemas"]["Player"][];
            /** Format: int64 */
            version: number;
        };
        /** @description The error of a request. */
        Problem: {
            /**
             * Format: int64
             * @description The column in characters, from 1.
             */
            column?: number;
            /**
             * Format: int64
             * @description The line, from 1.
             */
            line?: number;
        } & {
            /** @description A description: the error, its place, and the expected value. */
            detail: string;
            /** @description A hint on how to correct the request. */
            hint: string | null;
            /** @description The parameter at fault, if there is one. */
            parameter: string | null;
            /**
             * Format: int32
             * @description The status.
             */
            status: number;
            /** @description The name of the status. */
            title: string;
            /** @description Always `about:blank`: the status is the kind of problem. */
            type: string;
        };
        /** @description A player of a game */
        Rated: {
            name: string | null;
            /** Format: int32 */
            rating: number | null;
        };
        /** @description Ratings and dates of the side to move */
        Ratings: {
            /** Format: int32 */
            averageOpponentRating: number | null;
            /** Format: int32 */
            averageRating: number | null;
            /** @description A day, or a year */
            lastPlayed: string | null;
            /** Format: int32 */
            performance: number | null;
        };
        /** @description Rows of a query */
        Rows: {
            archive: string;
            /** @description The names of the columns, in order */
            columns: string[];
            /** Format: double */
            milliseconds: number;
            /** @description True if there are more rows */
            more: boolean;
            /** @description An object a row; bytes are in hexadecimal */
            rows: {
                [key: string]: unknown;
            }[];
            /** Format: int64 */
            version: number;
        };
        /** @description The score in games with a common value */
        Scored: components["schemas"]["Counts"] & {
            /**
             * Format: int64
             * @description Games in which both players have the name
             */
            player_both?: number;
            /** Format: int64 */
            player_draws?: number;
            /** Format: int64 */
            player_losses?: number;
            /**
             * Format: int64
             * @description Games without one of these results
             */
            player_other?: number;
            /**
             * Format: double
             * @description The points out of the games won, drawn or lost, in percent
             */
            player_percent?: number | null;
            /** Format: int64 */
            player_wins?: number;
        } & {
            /** Format: int32 */
            averageOpponentRating: number | null;
            /** Format: int64 */
            games: number;
            lastPlayed: string | null;
            /** Format: int32 */
            performance: number | null;
            /** @description null: unknown */
            value: string | null;
            /** Format: double */
            white_percent: number | null;
        };
        /** @description Scores in groups */
        Scores: components["schemas"]["Counts"] & {
            /**
             * Format: int64
             * @description Games in which both players have the name
             */
            player_both?: number;
            /** Format: int64 */
            player_draws?: number;
            /** Format: int64 */
            player_losses?: number;
            /**
             * Format: int64
             * @description Games without one of these results
             */
            player_other?: number;
            /**
             * Format: double
             * @description The points out of the games won, drawn or lost, in percent
             */
            player_percent?: number | null;
            /** Format: int64 */
            player_wins?: number;
        } & {
            archive: string;
            by: string;
            /** @description The number of groups */
            count: number;
            /** Format: int64 */
            games: number;
            groups: components["schemas"]["Scored"][];
            /** Format: int64 */
            version: number;
            /** Format: double */
            white_percent: number | null;
        };
        /** @description A game in few words */
        Short: {
            black: components["schemas"]["Rated"];
            /** Format: int64 */
            id: number;
            /** @description 2004-09 */
            month: string | null;
            white: components["schemas"]["Rated"];
            winner: string | null;
            /** Format: int32 */
            year: number | null;
        };
        /** @description A position */
        Shown: {
            check: boolean;
            /** @description The squares of the pieces that give check */
            checkers: string[];
            claim: components["schemas"]["End"] | null;
            counting: components["schemas"]["Count"] | null;
            fen: string;
            /** @description The moves that lead to the position */
            line: components["schemas"]["Step"][];
            /** @description The legal moves */
            moves: components["schemas"]["Legal"][];
            opening: components["schemas"]["Named"] | null;
            outcome: components["schemas"]["End"] | null;
            /** @description The number of half-moves in `line` */
            ply: number;
            /** @description white or black */
            turn: string;
            variant: string;
        };
        /** @description Games by decade, opening and rating */
        Statistics: components["schemas"]["Counts"] & {
            /**
             * Format: int64
             * @description Games in which both players have the name
             */
            player_both?: number;
            /** Format: int64 */
            player_draws?: number;
            /** Format: int64 */
            player_losses?: number;
            /**
             * Format: int64
             * @description Games without one of these results
             */
            player_other?: number;
            /**
             * Format: double
             * @description The points out of the games won, drawn or lost, in percent
             */
            player_percent?: number | null;
            /** Format: int64 */
            player_wins?: number;
        } & {
            archive: string;
            /** Format: int64 */
            games: number;
            groups: components["schemas"]["Group"][];
            /**
             * Format: int64
             * @description The half-moves of these games
             */
            plies: number;
            /** Format: int64 */
            version: number;
        };
        /** @description A move that leads to the position */
        Step: {
            /** @description The position after it */
            fen: string;
            san: string;
            uci: string;
        };
        /** @description A game */
        Tree: {
            /** @description Comments after the result */
            after: string[];
            archive: string;
            /** @description The reason why the moves end early */
            fault: string | null;
            /** @description The start */
            fen: string;
            /** Format: int64 */
            id: number;
            /**
             * @description The start and all moves, in the order of the text. The first child of a node continues its line, the others begin
             *     variations
             */
            nodes: components["schemas"]["Node"][];
            opening: components["schemas"]["Named"] | null;
            /** @description The half-moves of the main line */
            plies: number;
            result: string | null;
            /** @description Of two tags with one name, the first */
            tags: {
                [key: string]: string;
            };
            variant: string;
        };
        /** @description The archive after an undo */
        Undone: {
            archive: string;
            /** Format: int64 */
            games: number;
            /**
             * Format: int64
             * @description The version that was restored
             */
            restored: number;
            /**
             * Format: int64
             * @description The new version
             */
            version: number;
        };
        /** @description An archive that cannot be read */
        Unreadable: {
            /** @description The reason */
            detail: string;
            name: string;
        };
        /** @description The results of a year */
        Year: components["schemas"]["Counts"] & {
            /** Format: int32 */
            year: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type ArchiveList = components['schemas']['ArchiveList'];
export type ArchiveSummary = components['schemas']['ArchiveSummary'];
export type Arrow = components['schemas']['Arrow'];
export type Change = components['schemas']['Change'];
export type ChangeList = components['schemas']['ChangeList'];
export type Circle = components['schemas']['Circle'];
export type Copies = components['schemas']['Copies'];
export type Count = components['schemas']['Count'];
export type Counted = components['schemas']['Counted'];
export type Counts = components['schemas']['Counts'];
export type Duplicates = components['schemas']['Duplicates'];
export type End = components['schemas']['End'];
export type Evaluation = components['schemas']['Evaluation'];
export type Event = components['schemas']['Event'];
export type Events = components['schemas']['Events'];
export type Explored = components['schemas']['Explored'];
export type Found = components['schemas']['Found'];
export type Glyph = components['schemas']['Glyph'];
export type Group = components['schemas']['Group'];
export type InGame = components['schemas']['InGame'];
export type Kinds = components['schemas']['Kinds'];
export type Legal = components['schemas']['Legal'];
export type Listed = components['schemas']['Listed'];
export type Named = components['schemas']['Named'];
export type Near = components['schemas']['Near'];
export type Node = components['schemas']['Node'];
export type Opening = components['schemas']['Opening'];
export type Openings = components['schemas']['Openings'];
export type Place = components['schemas']['Place'];
export type Played = components['schemas']['Played'];
export type Player = components['schemas']['Player'];
export type PlayerScore = components['schemas']['PlayerScore'];
export type Players = components['schemas']['Players'];
export type Problem = components['schemas']['Problem'];
export type Rated = components['schemas']['Rated'];
export type Ratings = components['schemas']['Ratings'];
export type Rows = components['schemas']['Rows'];
export type Scored = components['schemas']['Scored'];
export type Scores = components['schemas']['Scores'];
export type Short = components['schemas']['Short'];
export type Shown = components['schemas']['Shown'];
export type Statistics = components['schemas']['Statistics'];
export type Step = components['schemas']['Step'];
export type Tree = components['schemas']['Tree'];
export type Undone = components['schemas']['Undone'];
export type Unreadable = components['schemas']['Unreadable'];
export type Year = components['schemas']['Year'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
