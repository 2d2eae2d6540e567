/**
 * Which contexts may import which others. A context reaches another one only through its entry (`@annals/<context>`),
 * only along KNOWS;
 * `@annals/<context>/events` is the second entry, types only, open to every context's read, feed and jobs;
 * `@annals/<context>/http` the third, open to http rooms and the api alone, so that nobody else loads an HTTP server.
 */
const KNOWS = {
  realm: [],
  users: ['realm'],
  groups: ['realm', 'users'],
  channels: ['realm', 'users', 'groups'],
  files: ['realm', 'users'],
  messages: ['realm', 'users', 'groups', 'channels', 'files'],
  onboarding: ['realm', 'users', 'groups', 'channels', 'files', 'messages'],
  scheduling: ['realm', 'users', 'groups', 'channels', 'messages'],
  personal: ['realm', 'users', 'groups', 'channels', 'messages'],
  presence: ['realm', 'users', 'messages'],
  push: ['realm', 'users', 'groups', 'channels', 'messages', 'presence'],
  bots: ['realm', 'users', 'groups', 'messages', 'invitations'],
  integrations: ['users', 'messages'],
  mail: ['realm', 'users'],
  'email-notifications': ['realm', 'users', 'groups', 'channels', 'messages', 'presence', 'push', 'mail'],
  'incoming-mail': ['realm', 'users', 'groups', 'channels', 'files', 'messages', 'mail', 'email-notifications'],
  invitations: ['realm', 'users', 'groups', 'channels', 'messages', 'onboarding', 'mail'],
  'sign-in': ['realm', 'users', 'groups', 'channels', 'onboarding', 'mail', 'invitations'],
  provisioning: ['realm', 'users', 'groups', 'channels', 'onboarding', 'mail', 'invitations', 'sign-in'],
};
KNOWS.feed = KNOWS.audit = Object.keys(KNOWS);
KNOWS.consumers = Object.keys(KNOWS);

const CONTEXT = `^libs/(${Object.keys(KNOWS).join('|')})/src`;
const HTTP_ENTRY = '^libs/[^/]+/src/http/index\\.ts$';
const HTTP_PACKAGES = 'node_modules/(@?fastify|passport|@nestjs/(passport|platform-fastify)|swagger-ui-dist)';
const EVENTS_ENTRY = '^libs/[^/]+/src/domain/events\\.ts$';
/**
 * The folders of `libs/messages/src/read`, in the order in which they may import each other: each only those before it.
 * So who may see a message never depends on how messages are searched or shown.
 */
const MESSAGES_READ = [
  'placement',
  'visibility',
  'reactions',
  'widgets',
  'previews',
  'flags',
  'history',
  'unread',
  'search',
  'content',
  'narrow',
  'query',
  'past',
];
/** Folders beside that order: they may import the first two, and no folder imports them. */
const MESSAGES_READ_ASIDE = ['attachments', 'upkeep'];
const READ = '^libs/messages/src/read/';
const SPEC = '\\.spec\\.ts$';
const rule = (name, from, to) => ({ name, severity: 'error', from, to });

module.exports = {
  forbidden: [
    rule('no-cycles', {}, { circular: true, dependencyTypesNot: ['type-only'] }),
    rule('libs-never-import-apps', { path: '^libs/' }, { path: '^apps/' }),
    rule('kernel-knows-nobody', { path: '^libs/kernel/' }, { path: '^libs/', pathNot: '^libs/kernel/' }),
    rule(
      'web-knows-kernel-and-languages',
      { path: '^libs/web/' },
      { path: '^libs/', pathNot: '^libs/(kernel|web|languages)/' },
    ),
    rule(
      'languages-know-only-the-kernel',
      { path: '^libs/languages/' },
      { path: '^libs/', pathNot: '^libs/(kernel|languages)/' },
    ),
    rule(
      'only-through-the-entry',
      { path: `${CONTEXT}/` },
      {
        path: '^libs/[^/]+/src/',
        pathNot: [
          '^libs/$1/',
          '^libs/[^/]+/src/index\\.ts$',
          '^libs/kernel/src/domain/index\\.ts$',
          EVENTS_ENTRY,
          HTTP_ENTRY,
        ],
      },
    ),
    rule(
      'events-entry-is-types-only',
      { path: `${CONTEXT}/` },
      { path: EVENTS_ENTRY, pathNot: '^libs/$1/', dependencyTypesNot: ['type-only'] },
    ),
    rule('not-through-own-entry', { path: `${CONTEXT}/` }, { path: '^libs/$1/src/(http/)?index\\.ts$' }),
    rule(
      'only-http-speaks-http',
      {
        path: [`${CONTEXT}/(?!http/)`, '^libs/(kernel|embedded|markdown|languages)/', '^apps/(?!api/)'],
        pathNot: `${SPEC}|/spec-support/`,
      },
      { path: ['^libs/web/', '^libs/[^/]+/src/http/', HTTP_PACKAGES] },
    ),
    rule(
      'domain-is-pure',
      { path: `${CONTEXT}/domain/`, pathNot: SPEC },
      { pathNot: ['^libs/$1/src/domain/', '^libs/kernel/src/domain/'] },
    ),
    rule(
      'audit-room-is-pure',
      { path: `${CONTEXT}/audit/`, pathNot: SPEC },
      // Users name the commands that open and end accounts, which store events of other contexts too.
      {
        pathNot: [
          '^libs/$1/src/(audit|domain)/',
          '^libs/kernel/src/(index\\.ts|domain/)',
          '^libs/users/src/index\\.ts$',
        ],
      },
    ),
    rule('read-does-not-write', { path: `${CONTEXT}/(read|feed)/` }, { path: '^libs/$1/src/(application|http|jobs)/' }),
    rule(
      'application-is-not-http',
      { path: `${CONTEXT}/application/` },
      { path: ['^libs/$1/src/(http|feed|jobs)/', '^libs/web/'] },
    ),
    ...MESSAGES_READ.map((folder, n) =>
      rule(
        `messages-read-${folder}-imports-what-is-before-it`,
        { path: `${READ}${folder}/`, pathNot: SPEC },
        { path: `${READ}(${[...MESSAGES_READ.slice(n + 1), ...MESSAGES_READ_ASIDE].join('|')})/` },
      ),
    ),
    ...MESSAGES_READ_ASIDE.map((folder) =>
      rule(
        `messages-read-${folder}-imports-placement-and-visibility`,
        { path: `${READ}${folder}/`, pathNot: SPEC },
        { path: READ, pathNot: `${READ}(placement|visibility|${folder})/` },
      ),
    ),
    // Queries about now do not read what held at a past position. The implicit reads of the past are the only exception.
    rule(
      'messages-queries-are-about-now',
      { path: `${READ}(narrow|query)/`, pathNot: SPEC },
      { path: `${READ}history/`, pathNot: `${READ}history/implicit-reads\\.ts$` },
    ),
    rule(
      'messages-read-has-no-other-folders',
      {},
      { path: READ, pathNot: `${READ}(${[...MESSAGES_READ, ...MESSAGES_READ_ASIDE].join('|')})/` },
    ),
    ...Object.entries(KNOWS).map(([context, known]) =>
      rule(
        `${context}-knows`,
        { path: `^libs/${context}/` },
        {
          path: '^libs/',
          pathNot: [`^libs/(kernel|web|markdown|languages|${[context, ...known].join('|')})/`, EVENTS_ENTRY],
        },
      ),
    ),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
};
