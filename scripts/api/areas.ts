/** The sections of the API description: which endpoints stand together, and what they are for. */

interface Area {
  tag: string
  description: string
  /** Files of the contract's endpoints. */
  files: readonly string[]
}

export const areas: readonly Area[] = [
  {
    tag: 'Sign-in',
    description: 'Sign in, sign up, your account, its second factors, sessions and API keys.',
    files: ['accounts', 'entrance', 'logins', 'factors-people'],
  },
  {
    tag: 'Completions',
    description: 'Ask a model: chat completions, the messages format, embeddings, and replies under way.',
    files: ['completions'],
  },
  {
    tag: 'Models',
    description: 'Models, the connections that they come from, custom models and defaults.',
    files: ['models'],
  },
  { tag: 'Chats', description: 'Stored conversations, folders, tags, shares and prompts.', files: ['chats'] },
  { tag: 'Memory', description: 'What assistants remember about a person.', files: ['memory'] },
  { tag: 'Files', description: 'Uploads, their text and their bytes.', files: ['files'] },
  {
    tag: 'Knowledge',
    description: 'Collections of files, crawls of web sites, and search in them.',
    files: ['knowledge'],
  },
  { tag: 'Speech', description: 'Speech to text, text to speech, and their settings.', files: ['audio'] },
  { tag: 'Documents', description: 'Documents to sign, their recipients, fields and templates.', files: ['signing'] },
  {
    tag: 'Signing links',
    description: 'What a recipient does with the link from their email, without an account.',
    files: ['signing-public'],
  },
  {
    tag: 'Seals',
    description: 'The certificate that seals documents, and the public check of a PDF.',
    files: ['seals'],
  },
  { tag: 'Webhooks', description: 'Calls to your own server when a document changes.', files: ['webhooks'] },
  { tag: 'Events', description: 'Publish events, list them, and follow them live.', files: ['events'] },
  { tag: 'Workflows', description: 'Workflows, their versions and their triggers.', files: ['workflows'] },
  { tag: 'Runs', description: 'Start a workflow, follow its run, and decide on approvals.', files: ['runs'] },
  {
    tag: 'Workflow resources',
    description: 'Catalogs of events and actions, HTTP credentials and spaces.',
    files: ['catalogs'],
  },
  { tag: 'Usage', description: 'Tokens and costs, and their limits.', files: ['usage'] },
  {
    tag: 'Organization',
    description: 'Your organization: members, invitations, domains, groups and departments.',
    files: ['organizations', 'units', 'groups', 'departments'],
  },
  {
    tag: 'SCIM',
    description: "People and groups that an organization's directory sends, and the tokens it does so with.",
    files: ['scim-directory'],
  },
  {
    tag: 'Plugins',
    description: 'Functions and tools in TypeScript, and their settings.',
    files: ['plugins', 'functions', 'tools'],
  },
  {
    tag: 'Tool servers',
    description: 'OpenAPI and MCP servers whose tools models may use, and Chancery as an MCP server.',
    files: ['tool-servers'],
  },
  {
    tag: 'Platform',
    description: 'The platform console: organizations, users, settings and health. For platform admins.',
    files: ['platform', 'factors-admins'],
  },
  {
    tag: 'Compatible addresses',
    description:
      "Addresses at which other APIs' clients look: a model runtime's own API under `/upstream`, and second addresses of endpoints above.",
    files: [],
  },
]

const compatible = 'Compatible addresses'

export const tagOf = (file: string | undefined): string => {
  if (file === undefined) return compatible
  const area = areas.find(({ files }) => files.includes(file))
  if (!area) throw new Error(`scripts/api/areas.ts has no section for the endpoints of ${file}.ts.`)
  return area.tag
}
