import { READER, readerValues } from '@annals/channels';
import { Kernel } from '@annals/kernel';
import type { Actor, ChannelId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { Condition, Criterion, Term } from './narrow-terms';
import { badNarrow } from './narrow-terms';
import type { CompiledNarrow } from './narrow-compiler';
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
   * A link with `with` leads to the present place of that message. If the actor cannot see the message, the channel and topic of
   * the link count.
   *
   * @throws Rejected BAD_NARROW when a term names something that the actor cannot access, or terms contradict each other
   */
  async resolve(by: Actor, terms: readonly Term[]): Promise<CompiledNarrow> {
    const others = terms.filter(isCriterion);
    const [link, another] = terms.filter(isLink);
    if (!link) return this.compiler.compile(by, others);
    if (another || link.negated) throw badNarrow({ desc: 'with can stand once, and not be negated' });
    const place = await this.placeOf(by, link.condition.id);
    if (place) return this.compiler.compile(by, [...place, ...others.filter((term) => !namesPlace(term))]);
    if (!isPlace(others)) throw badNarrow({ desc: 'invalid operand of with' });
    return this.compiler.compile(by, others);
  }

  /** @returns null for a message that the actor cannot see, as for one that does not exist */
  private async placeOf(by: Actor, messageId: number): Promise<readonly Term<Criterion>[] | null> {
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
    if (channel === null) return [required({ kind: 'conversation', people: people.map(Number) })];
    return [required({ kind: 'channel', channel }), required({ kind: 'topic', topic })];
  }
}

type Found =
  | { readonly channel: ChannelId; readonly topic: string; readonly people: readonly (string | number)[] }
  | { readonly channel: null; readonly topic: null; readonly people: readonly (string | number)[] };

type Link = Extract<Condition, { kind: 'with' }>;

const required = (condition: Criterion): Term<Criterion> => ({ condition, negated: false });
const isLink = (term: Term): term is Term<Link> => term.condition.kind === 'with';
const isCriterion = (term: Term): term is Term<Criterion> => !isLink(term);

const namesPlace = ({ condition: { kind } }: Term<Criterion>): boolean =>
  kind === 'channel' || kind === 'topic' || kind === 'conversation';

/** Whether terms name one topic of a channel, or one conversation. */
function isPlace(terms: readonly Term<Criterion>[]): boolean {
  const kinds = new Set(terms.filter(({ negated }) => !negated).map(({ condition }) => condition.kind));
  return kinds.has('conversation') || (kinds.has('channel') && kinds.has('topic'));
}
