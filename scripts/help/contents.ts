/** Which pages the help has, in the order of its menu. The API reference comes from `docs/openapi.json`. */
import { globSync } from 'node:fs'
import { root } from './root.ts'

export interface Entry {
  /** In the repository. */
  source: string
  /** In the built help. */
  path: string
  title: string
}

export interface Group {
  title: string
  about: string
  entries: readonly Entry[]
}

const entry = (source: string, path: string, title: string): Entry => ({ source, path, title })

const stories = ['request', 'reply', 'company-login', 'event'] as const

const numberOf = (file: string): string => file.slice(0, 4)

const decisions = globSync('docs/decisions/*.md', { cwd: root })
  .sort()
  .map((source) => {
    const [file = ''] = source.split('/').slice(-1)
    return entry(source, `decisions/${file.replace(/\.md$/, '.html')}`, `Decision ${Number(numberOf(file))}`)
  })

export const groups: readonly Group[] = [
  {
    title: 'Using Chancery',
    about: 'Chat, documents, workflows and knowledge, for everybody who works with it.',
    entries: [
      entry('docs/guide.md', 'guide.html', 'Guide'),
      entry('docs/signing.md', 'signing.html', 'Signing documents'),
      entry('docs/workflows.md', 'workflows.html', 'Workflows'),
      entry('docs/knowledge.md', 'knowledge.html', 'Files and knowledge'),
      entry('docs/speech.md', 'speech.html', 'Speech'),
      entry('docs/plugins.md', 'plugins.html', 'Plugins'),
      entry('docs/command-line.md', 'command-line.html', 'Command line'),
    ],
  },
  {
    title: 'Running it',
    about: 'Install, configure, back up and upgrade an instance.',
    entries: [
      entry('docs/OPERATIONS.md', 'operations.html', 'Operations'),
      entry('docs/sign-in.md', 'sign-in.html', 'Sign-in for organizations'),
      entry('docs/CONFIGURATION.md', 'configuration.html', 'Configuration'),
      entry('deploy/README.md', 'deploy.html', 'Deployment files'),
      entry('deploy/ha/README.md', 'deploy-ha.html', 'High availability'),
      entry('docs/alerts.md', 'alerts.html', 'Alerts'),
      entry('docs/SCALING.md', 'scaling.html', 'How large a machine'),
      entry('docs/SECURITY.md', 'security.html', 'Security'),
      entry('CHANGELOG.md', 'changelog.html', 'Changelog'),
    ],
  },
  {
    title: 'Building on it',
    about: 'Call the API from programs, and read what its errors mean.',
    entries: [
      entry('client/README.md', 'client.html', 'TypeScript client'),
      entry('docs/ERRORS.md', 'errors.html', 'Error codes'),
    ],
  },
  {
    title: 'Inside',
    about: 'How the code is organized, and why things are the way they are.',
    entries: [
      entry('docs/ARCHITECTURE.md', 'architecture.html', 'Architecture'),
      ...stories.map((name) =>
        entry(
          `docs/stories/life-of-a${name === 'event' ? 'n' : ''}-${name}.md`,
          `stories/${name}.html`,
          `The life of a${name === 'event' ? 'n' : ''} ${name.replace('-', ' ')}`,
        ),
      ),
      entry('docs/STYLE.md', 'style.html', 'Code style'),
      ...decisions,
    ],
  },
]

export const entries: readonly Entry[] = groups.flatMap((group) => group.entries)
