import { READER, readerValues } from '@annals/channels';
import { Kernel } from '@annals/kernel';
import type { Actor, ChannelId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { isCriterion, linkOf, linked } from './links';
import type { Criterion, NarrowTerm } from './narrow-terms';
import type { CompiledNarrow } from './compiled-narrow';
import { NarrowCompiler } from './narrow-compiler';
import { PLACE_JOIN, VISIBLE_SQL } from '../visibility/visibility';

/** Compiles narrows; the operator `with` is replaced by the place of its message (contract/boot.md section 10.1). */
@Injectable()
export class NarrowResolver {
  constructor(
    private readonly kernel: Kernel,
    private readonly compiler: NarrowCompiler,
  ) {}

  /**
   * A narrow with `with` means the present place of that message. If the actor cannot see the message, the other terms
   * count.
   *
   * @throws Rejected BAD_NARROW when a term names something that the actor cannot access, or terms contradict each
   *   other
   */
  async resolve(by: Actor, terms: readonly NarrowTerm[]): Promise<CompiledNarrow> {
    const others = terms.filter(isCriterion);
    const link = linkOf(terms);
    if (link === null) return this.compiler.compile(by, others);
    return this.compiler.compile(by, linked(await this.placeOf(by, link), others));
  }

  /** @returns null for a message that the actor cannot see, as for one that does not exist */
  private async placeOf(by: Actor, messageId: number): Promise<readonly Criterion[] | null> {
    const { rows } = await this.kernel.database.pool.query<Found>({
      name: 'messages-place-of-link',
      text: `SELECT p.channel_id AS channel, p.name AS topic,
          ARRAY(SELECT v.user_id FROM view.conversation_members AS v
            WHERE v.realm_id = m.realm_id AND v.conversation_id = m.conversation_id) AS people
        FROM ${READER} CROSS JOIN view.messages AS m ${PLACE_JOIN}
        WHERE m.realm_id = $1 AND m.message_id = $6 AND ${VISIBLE_SQL}`,
      values: [...readerValues(by), messageId],
    });
    const [found] = rows;
    if (!found) return null;
    const { channel, topic, people } = found;
    if (channel === null) return [{ kind: 'conversation', people: people.map(Number) }];
    return [
      { kind: 'channel', channel },
      { kind: 'topic', topic },
    ];
  }
}

type Found =
  | { readonly channel: ChannelId; readonly topic: string; readonly people: readonly (string | number)[] }
  | { readonly channel: null; readonly topic: null; readonly people: readonly (string | number)[] };
