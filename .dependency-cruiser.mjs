/** The floors of the house (docs/ARCHITECTURE.md), each rule with its reason. There is no list of exceptions. */

export const floors = [
  ['accounts', 'settings'],
  ['organizations', 'realtime', 'files', 'factors'],
  [
    'platform-admin',
    'identity-providers',
    'sso',
    'ldap',
    'scim',
    'oauth',
    'models',
    'tools',
    'usage',
    'chats',
    'webhooks',
    'pdf',
    'workflow-graph',
  ],
  ['completions', 'event-bus', 'audio', 'tool-servers'],
  ['upstream', 'messages-format', 'memory', 'images', 'knowledge', 'plugins', 'signing', 'runs'],
  ['workflows', 'monitoring'],
  ['demo'],
]

const modulePath = (names) => `^server/src/modules/(${names.join('|')})/`

const floorRules = floors.flatMap((names, index) => {
  const sameOrAbove = floors.slice(index).flat()
  return names.map((name) => ({
    name: `floor-${index + 1}-${name}`,
    severity: 'error',
    comment: 'A module imports only from lower floors: never sideways, never up. Declare a port instead.',
    from: { path: modulePath([name]) },
    to: { path: modulePath(sameOrAbove.filter((other) => other !== name)) },
  }))
})

/** Whatever these import is as pure as they are: types, the contract, the language of expressions, each other. */
const pure = [
  '^server/src/modules/workflow-graph/',
  '^server/src/modules/.*/core/',
  '^server/src/kernel/json/',
  '^server/src/kernel/compute/computation\\.ts$',
  '^server/src/kernel/(errors|meter|text-budget|outbound/request-headers)\\.ts$',
]

export default {
  forbidden: [
    ...floorRules,
    {
      name: 'kernel-knows-no-domain',
      severity: 'error',
      comment: 'The kernel is the ground floor: whatever it imported from a module would tie every module to that one.',
      from: { path: '^server/src/kernel/' },
      to: { path: '^server/src/(modules/|[^/]+\\.ts$)' },
    },
    {
      name: 'modules-meet-at-their-interface',
      severity: 'error',
      comment: 'A module is entered through its index.ts; the rest is free to change.',
      from: { path: '^server/src/modules/([^/]+)/' },
      to: { path: '^server/src/modules/(?!$1/)[^/]+/(?!index\\.ts$)' },
    },
    {
      name: 'contract-has-no-logic-of-ours',
      severity: 'error',
      comment: 'Wire schemas are shared by server and web, so they may know neither.',
      from: { path: '^contract/' },
      to: { path: '^(server|web|expression)/' },
    },
    {
      name: 'expressions-are-a-language-of-their-own',
      severity: 'error',
      comment: 'A language knows its parser and nothing of those who use it, nor of the machine that it runs on.',
      from: { path: '^expression/src/' },
      to: { pathNot: '^expression/src/|^node_modules/@lezer/' },
    },
    {
      name: 'expressions-are-entered-through-their-package',
      severity: 'error',
      comment: 'What package.json exports is the interface of the language; the rest is free to change.',
      from: { path: '^(server|web|contract)/' },
      to: { path: '^expression/', pathNot: '^expression/src/(index|functions/name-distance)\\.ts$' },
    },
    {
      name: 'web-and-server-meet-in-the-contract',
      severity: 'error',
      comment: 'The browser must never pull in server code, nor the server the browser’s.',
      from: { path: '^web/' },
      to: { path: '^server/' },
    },
    {
      name: 'clients-know-the-contract-alone',
      severity: 'error',
      comment: 'Whoever calls the API needs nothing of the server that answers, nor of the web app.',
      from: { path: '^client/src/' },
      to: { pathNot: '^(client|contract)/src/' },
    },
    {
      name: 'the-command-line-needs-no-server',
      severity: 'error',
      comment: 'People run it on their own machines, with the client and what Node.js has.',
      from: { path: '^client/cli/' },
      to: { path: '^(server|web|expression|plugin)/' },
    },
    {
      name: 'features-do-not-know-each-other',
      severity: 'error',
      comment: 'Pages in app/ compose features; two features that import each other are one.',
      from: { path: '^web/src/features/([^/]+)/' },
      to: { path: '^web/src/(features/(?!$1/)|app/)' },
    },
    {
      name: 'ui-and-lib-stay-below',
      severity: 'error',
      comment: 'The design system and the libraries serve every feature and so may depend on none.',
      from: { path: '^web/src/(ui|lib)/' },
      to: { path: '^web/src/(data|features|app)/' },
    },
    {
      name: 'data-stays-below-features',
      severity: 'error',
      comment: 'What several features ask the server for must know none of them.',
      from: { path: '^web/src/data/' },
      to: { path: '^web/src/(features|app)/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Two files that need each other are one file, or need a third. Type imports count too.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'one-door-out',
      severity: 'error',
      comment: 'Every request to another server passes the SSRF guard in kernel/outbound.',
      from: { path: '^server/src/', pathNot: '^server/src/kernel/outbound/|\\.test\\.ts$' },
      to: { path: '^(node:)?(undici|https)$|node_modules/undici/' },
    },
    {
      name: 'schemas-are-compiled-off-the-loop',
      severity: 'error',
      comment: 'A foreign JSON Schema takes any time to compile or to check with, so only threads and children may.',
      from: { path: '^server/src/', pathNot: '(^server/src/kernel/json/json-schema|\\.worker|\\.test)\\.ts$' },
      to: { path: '^node_modules/ajv/' },
    },
    {
      name: 'graphs-are-checked-off-the-loop',
      severity: 'error',
      comment: 'What a tenant wrote is compiled, compared and validated by computations (kernel/compute) alone.',
      from: {
        path: '^server/src/',
        pathNot: '\\.(computation|test)\\.ts$|^server/src/modules/workflow-graph/(kinds|fields|validate[a-z-]*\\.ts$)',
      },
      to: {
        path: '^server/src/(kernel/json/json-schema|modules/workflow-graph/(validate|diff))\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'pure-files-stay-pure',
      severity: 'error',
      comment:
        'What they say depends on what they are given alone, so that they can be tested and replaced by themselves.',
      from: { path: pure, pathNot: '\\.test\\.ts$' },
      to: {
        pathNot: [...pure, '^(contract|expression)/src/', '^node_modules/(ajv|@lezer|diff)/', '^crypto$'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'calls-stand-in-api-files',
      severity: 'error',
      comment:
        'A feature asks the server in its api.ts, and several features in data, so that it is read and asked once.',
      from: { path: '^web/src/(app|features|ui|lib/(?!http/))', pathNot: '/api\\.ts$|\\.test\\.tsx?$' },
      to: { path: '^web/src/lib/http/(api|call)\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'source-knows-no-tests',
      severity: 'error',
      comment: 'What runs in production must not need the test harness.',
      from: { path: '^(server|web|contract|client|expression)/src/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^(server|client|expression)/test/|\\.test\\.tsx?$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    // No rule asks which files depend on a file, or can reach it. Cycles are found all the same.
    skipAnalysisNotInRules: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
