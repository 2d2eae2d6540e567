import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

describe('a change of who may audit', () => {
  let users: ServerWithUsers;
  let second: Person;
  beforeAll(async () => {
    users = await startWithUsers();
    second = await users.server.person({ role: 'owner', name: 'Olga' });
  });
  afterAll(() => users.server.close());

  const change = (setting: string, to: string) =>
    users.owner.patch('/realm', { [setting]: { new: users.groups[to] } }).then(granted);
  /** Texts that a user receives because of an act. */
  async function received(by: Person, act: () => Promise<unknown>): Promise<unknown[]> {
    const events = await by.receive(act, { event_types: ['message'], apply_markdown: false });
    return events.map(({ message }) => (message as { content: string }).content);
  }

  it('makes the notification bot notify every owner', async () => {
    const act = () => change('can_audit_group', 'administrators');
    const text = expect.stringMatching(
      /^@_\*\*Owner\|\d+\*\* changed who can read the history of the organization: from @_\*role:owners\* to @_\*role:administrators\*\.$/,
    ) as string;
    expect(await received(second, act)).toEqual([text]);
    expect(await received(users.owner, () => change('can_audit_group', 'owners'))).toHaveLength(1);
    expect(await received(users.administrator, () => change('can_audit_group', 'members'))).toEqual([]);
  });

  it('is in a notice for each of the three settings, and no notice is sent if nothing changes', async () => {
    const all = () =>
      users.owner.patch('/realm', {
        can_audit_content_group: { new: users.groups['owners'] },
        can_manage_holds_group: { new: users.groups['administrators'] },
        waiting_period_threshold: 5,
      });
    const [text, ...others] = await received(second, all);
    expect(text).toContain('what people wrote, also in private channels');
    expect(text).toContain('who can hold and erase');
    expect(others).toEqual([]);
    expect(await received(second, all)).toEqual([]);
    expect(await received(second, () => users.owner.patch('/realm', { waiting_period_threshold: 6 }))).toEqual([]);
  });
});
