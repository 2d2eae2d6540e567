import type { Static } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import type { EventDescriber } from '../shared/describing';
import { describing } from '../shared/describing';
import { maybe } from '../shared/payload';

export const GITLAB = 'GitLab';

const project = t.Object({ name: t.String(), web_url: t.String() });
const repository = t.Object({ name: t.String(), homepage: t.String() });
/** Job events have a repository and no project. */
export const projectFields = { project: maybe(project), repository: maybe(repository) };
interface ProjectFields {
  readonly project?: Static<typeof project> | null;
  readonly repository?: Static<typeof repository> | null;
}

export const user = t.Object({ name: t.String() });
export const thing = t.Object({ iid: t.Integer(), title: t.String(), url: t.String() });

/** How the URL wants messages and topics to be written. */
export interface GitlabWording {
  /** The topic does not show titles, because the URL chose it. */
  readonly withTitle: boolean;
  /** The topics of merge requests show their titles. */
  readonly titleInTopic: boolean;
}

export type DescribeGitlab = EventDescriber<GitlabWording>;

/** A message for payloads of one shape. */
export const on = describing<GitlabWording>(GITLAB);

export const nameOf = ({ project: one, repository: other }: ProjectFields): string =>
  one?.name ?? other?.name ?? GITLAB;
export const homeOf = ({ project: one, repository: other }: ProjectFields): string =>
  one?.web_url ?? other?.homepage ?? '';
