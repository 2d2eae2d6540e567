import { t } from '@annals/kernel/domain';
import { link, quoted } from '../shared/markdown';
import { maybe } from '../shared/payload';
import type { DescribeGithub } from './github-shapes';
import { account, common, on, repository, sender } from './github-shapes';

const team = t.Object({ name: t.String(), description: maybe(t.String()), privacy: maybe(t.String()) });
const member = t.Object({ ...common, member: account });
const membership = t.Object({
  action: t.String(),
  sender,
  member: account,
  team: t.Object({ name: t.String() }),
  organization: t.Object({ login: t.String() }),
});
const from = t.Optional(t.Object({ from: maybe(t.String()) }));
const changedTeam = t.Object({
  sender,
  team,
  changes: t.Object({ description: from, name: from, privacy: from }),
});
const addedTeam = t.Object({ repository, team: t.Object({ name: t.String() }) });

/** Messages about people and teams, by event type. */
export const teamEvents: Readonly<Record<string, DescribeGithub>> = {
  member: on(member, ({ action, sender: { login }, member: one, repository: repo }) => ({
    topic: repo.name,
    content: `${login} ${action} ${link(one.login, one.html_url)} to ${link(repo.name, repo.html_url)}.`,
  })),

  membership: on(membership, ({ action, sender: { login }, member: one, team: { name }, organization }) => ({
    topic: `${organization.login} organization`,
    content: `${login} ${action} ${link(one.login, one.html_url)} ${action === 'removed' ? 'from' : 'to'} the ${name} team.`,
  })),

  team: on(changedTeam, ({ sender: { login }, team: now, changes }) => {
    const topic = `team ${now.name}`;
    if (changes.description !== undefined) {
      return { topic, content: `**${login}** changed the team description to:\n\n${quoted(now.description ?? '')}` };
    }
    if (changes.name !== undefined) {
      return { topic, content: `Team \`${changes.name.from ?? ''}\` was renamed to \`${now.name}\`.` };
    }
    if (changes.privacy !== undefined) return { topic, content: `Team visibility changed to \`${now.privacy ?? ''}\`` };
    return { topic, content: `Team has changes to \`${Object.keys(changes).sort().join('/')}\` data.` };
  }),

  team_add: on(addedTeam, ({ repository: repo, team: { name } }) => ({
    topic: repo.name,
    content: `The repository ${link(repo.full_name, repo.html_url)} was added to team ${name}.`,
  })),
};
