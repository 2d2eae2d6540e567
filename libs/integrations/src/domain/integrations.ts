import { alertmanager } from './alerts/alertmanager';
import { grafana } from './alerts/grafana';
import { pagerduty } from './alerts/pagerduty';
import { sentry } from './alerts/sentry';
import { github } from './github/github';
import { gitlab } from './gitlab/gitlab';
import type { Integration, UrlOption } from './integration';
import { jenkins } from './jenkins';
import { jira } from './jira/jira';
import { json } from './json';
import { slackIncoming } from './slack/slack-incoming';
import { stripe } from './stripe/stripe';
import { zapier } from './zapier';

/** Every integration, in the order of the names. */
export const INTEGRATIONS: readonly Integration[] = [
  alertmanager,
  github,
  gitlab,
  grafana,
  jenkins,
  jira,
  json,
  pagerduty,
  sentry,
  slackIncoming,
  stripe,
  zapier,
];

const byName = new Map(INTEGRATIONS.map((one) => [one.name, one]));

export const integrationNamed = (name: string): Integration | undefined => byName.get(name);

/** The own options of all integrations. Those with one name mean the same. */
export const URL_OPTIONS: readonly UrlOption[] = [
  ...new Map(INTEGRATIONS.flatMap(({ options }) => options).map((option) => [option.name, option])).values(),
];
