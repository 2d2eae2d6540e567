import { t } from '@annals/kernel/domain';
import type { EventDescriber } from '../shared/describing';
import { describing } from '../shared/describing';
import { maybe } from '../shared/payload';

export const GITHUB = 'GitHub';

export const account = t.Object({ login: t.String(), html_url: t.String() });
export const sender = t.Object({ login: t.String() });
export const repository = t.Object({
  name: t.String(),
  full_name: t.String(),
  html_url: t.String(),
  private: t.Optional(t.Boolean()),
});
/** An issue, pull request or discussion as an event refers to it. */
export const thing = t.Object({ number: t.Integer(), title: t.String(), html_url: t.String() });
export const described = t.Intersect([thing, t.Object({ body: maybe(t.String()) })]);
export const comment = t.Object({ html_url: t.String(), body: maybe(t.String()) });
/** What most events have. */
export const common = { action: t.String(), sender, repository };

/** How the URL wants messages to be written. */
export interface GithubWording {
  /** The topic does not show titles, because the URL chose it. */
  readonly withTitle: boolean;
  readonly withRepository: boolean;
}

export type DescribeGithub = EventDescriber<GithubWording>;

/** A message for payloads of one shape. */
export const on = describing<GithubWording>(GITHUB);
