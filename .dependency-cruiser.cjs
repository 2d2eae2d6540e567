/**
 * Who may know whom. A context reaches another one only through its door (`@annals/<context>`), only along KNOWS;
 * `@annals/<context>/events` is the second door, types only, open to every context's read, feed and jobs;
 * `@annals/<context>/http` the third, open to http rooms and the api alone, so that nobody else loads an HTTP server.
 */
const KNOWS = {
  realm: [],
  users: ['realm'],
  groups: ['realm', 'users'],
  channels: ['realm', 'users', 'groups'],
  files: ['realm', 'users'],
  messages: ['realm', 'users', 'groups', 'channels', 'files'],
  onboarding: ['realm', 'users', 'groups', 'channels', 'messages'],
  scheduling: ['realm', 'users', 'groups', 'channels', 'messages'],
  personal: ['realm', 'users'],
  push: ['realm', 'users', 'groups', 'channels', 'messages'],
};
KNOWS.feed = KNOWS.audit = Object.keys(KNOWS);

const CONTEXT = `^libs/(${Object.keys(KNOWS).join('|')})/src`;
const HTTP_DOOR = '^libs/[^/]+/src/http/index\\.ts$';
const HTTP_PACKAGES = 'node_modules/(@?fastify|passport|@nestjs/(passport|platform-fastify)|swagger-ui-dist)';
const EVENTS_DOOR = '^libs/[^/]+/src/domain/events\\.ts$';
/**
 * The folders of `libs/messages/src/read`, in the order in which they may import each other: each only those before it.
 * So who may see a message never depends on how messages are searched or shown.
 */
const MESSAGES_READ = ['placement', 'visibility', 'reactions', 'history', 'unread', 'content', 'narrow', 'query'];
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
    rule('web-knows-only-kernel', { path: '^libs/web/' }, { path: '^libs/', pathNot: '^libs/(kernel|web)/' }),
    rule(
      'only-through-the-door',
      { path: `${CONTEXT}/` },
      {
        path: '^libs/[^/]+/src/',
        pathNot: [
          '^libs/$1/',
          '^libs/[^/]+/src/index\\.ts$',
          '^libs/kernel/src/domain/index\\.ts$',
          EVENTS_DOOR,
          HTTP_DOOR,
        ],
      },
    ),
    rule(
      'events-door-is-types-only',
      { path: `${CONTEXT}/` },
      { path: EVENTS_DOOR, pathNot: '^libs/$1/', dependencyTypesNot: ['type-only'] },
    ),
    rule('not-through-own-door', { path: `${CONTEXT}/` }, { path: '^libs/$1/src/(http/)?index\\.ts$' }),
    rule(
      'only-http-speaks-http',
      {
        path: [`${CONTEXT}/(?!http/)`, '^libs/(kernel|embedded|markdown)/', '^apps/(?!api/)'],
        pathNot: `${SPEC}|/spec-support/`,
      },
      { path: ['^libs/web/', '^libs/[^/]+/src/http/', HTTP_PACKAGES] },
    ),
    rule(
      'domain-is-pure',
      { path: `${CONTEXT}/domain/`, pathNot: SPEC },
      { pathNot: ['^libs/$1/src/domain/', '^libs/kernel/src/domain/'] },
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
    // What was the case at a position is no concern of queries about now, except for what it left read.
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
        { path: '^libs/', pathNot: [`^libs/(kernel|web|markdown|${[context, ...known].join('|')})/`, EVENTS_DOOR] },
      ),
    ),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
};
