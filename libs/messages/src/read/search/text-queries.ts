import { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { RealmFacts } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { configurationOf } from './languages';
import type { Phrase } from './search-query';

/** A search as queries of PostgreSQL, each as the text of a `tsquery`. */
export interface TextQuery {
  /** All of these have to be found, in the text or in the name of the topic. None if the search has only stop words. */
  readonly phrases: readonly string[];
  /** Any of the words, to highlight them. */
  readonly words: string;
  /** The configurations with which words of the organization are found. */
  readonly configurations: readonly string[];
}

/** A search that finds and highlights nothing. */
export const NO_WORDS: TextQuery = { phrases: [], words: '', configurations: [] };

interface Translated {
  readonly configuration: string;
  readonly words: string;
  readonly query: string;
}

/** Translates searches to queries of PostgreSQL. */
@Injectable()
export class TextQueries {
  constructor(
    private readonly kernel: Kernel,
    private readonly realms: RealmFacts,
  ) {}

  /**
   * Earlier texts of an organization that changed its language have the stems of another one, so a phrase is translated for each of
   * these languages. Stop words of the present language are left out.
   */
  async of(realmId: RealmId, phrases: readonly Phrase[]): Promise<TextQuery> {
    const { settings } = await this.realms.of(realmId);
    const configuration = configurationOf(settings.default_language);
    const joined = phrases.map((words) => words.join(' '));
    const rows = await this.translate(realmId, configuration, [...new Set([...joined, ...phrases.flat()])]);
    const queryOf = (words: string): string[] => {
      const found = rows.filter((row) => row.words === words && row.query !== '');
      const isStopWord = !found.some((row) => row.configuration === configuration);
      return isStopWord ? [] : [either(found.map(({ query }) => query))];
    };
    return {
      phrases: joined.flatMap(queryOf),
      words: either(phrases.flat().flatMap(queryOf)),
      configurations: [...new Set(rows.map((row) => row.configuration))],
    };
  }

  private async translate(realmId: RealmId, configuration: string, texts: readonly string[]): Promise<Translated[]> {
    const { rows } = await this.kernel.database.pool.query<Translated>({
      name: 'messages-text-query',
      text: `SELECT l.configuration, w.words, phraseto_tsquery(l.configuration::regconfig, w.words)::text AS query
        FROM (SELECT $2::text AS configuration
          UNION SELECT s.configuration FROM view.search_configurations AS s WHERE s.realm_id = $1) AS l
        CROSS JOIN unnest($3::text[]) AS w(words)`,
      values: [realmId, configuration, texts],
    });
    return rows;
  }
}

/** One of several queries. */
export const either = (queries: readonly string[]): string =>
  [...new Set(queries)].map((query) => `(${query})`).join(' | ');

/** All of several queries. */
export const every = (queries: readonly string[]): string => queries.map((query) => `(${query})`).join(' & ');
