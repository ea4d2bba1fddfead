/** The files under `deploy` name variables, metrics and times of the server, and must change with them. */
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { sections } from '../server/src/config/config.ts'
import { allPaths, readText } from './pages/source-files.ts'

const variables = new Map(Object.values(sections()).flatMap((section) => Object.entries(section)))
const otherVariables = new Set(['CHANCERY_PASSPHRASE', 'NODE_COMPILE_CACHE', 'PATH'])

/** Those that the server doesn't know, or that can't stand in a file. */
const wrongNames = (names: readonly string[]): string[] =>
  names.filter((name) => {
    if (variables.has(name) || otherVariables.has(name)) return false
    return !(name.endsWith('_FILE') && variables.get(name.slice(0, -'_FILE'.length))?.secret)
  })

interface Compose {
  'x-environment': Record<string, string>
  'x-chancery': { stop_grace_period: string; secrets: string[] }
  services: Record<string, { environment?: Record<string, string>; secrets?: string[]; depends_on?: object }>
  secrets: Record<string, { file: string }>
  networks: object
}

describe('compose', () => {
  const compose = parse(readText('deploy/compose/compose.yaml'), { merge: true }) as Compose
  const environment = compose['x-environment']
  const { SVC_DRAIN_DELAY = '' } = environment

  it('sets variables that exist, and secrets in files', () => {
    const names = [compose.services.api, compose.services.worker].flatMap((service) =>
      Object.keys(service?.environment ?? {}),
    )
    expect(names).toContain('SVC_ROLE')
    expect(wrongNames(names)).toEqual([])
  })

  it('makes every secret that it mounts', () => {
    const made = readText('deploy/compose/make-secrets.sh')
    const mounted = Object.values(compose.services).flatMap(({ secrets = [] }) => secrets)
    expect(mounted.filter((name) => !(name in compose.secrets))).toEqual([])
    for (const [name, { file }] of Object.entries(compose.secrets)) {
      expect(file).toBe(`./secrets/${name}`)
      expect(made).toContain(name)
    }
    const files = Object.values(environment).flatMap((value) => /^\/run\/secrets\/(.*)/.exec(value)?.[1] ?? [])
    expect(files.filter((name) => !compose['x-chancery'].secrets.includes(name))).toEqual([])
  })

  it('gives a node the time to drain', () => {
    expect(Number.parseInt(compose['x-chancery'].stop_grace_period, 10)).toBe(
      drainSeconds + Number(SVC_DRAIN_DELAY) + 20,
    )
  })

  it('depends on services that it has', () => {
    const wanted = Object.values(compose.services).flatMap(({ depends_on = {} }) => Object.keys(depends_on))
    expect(wanted.filter((name) => !(name in compose.services))).toEqual([])
  })
})

const drainSeconds = Number(variables.get('SVC_DRAIN_SECONDS')?.fallback)

describe('systemd', () => {
  const units = allPaths.filter((path) => path.startsWith('deploy/systemd/'))

  it.each(units)('%s sets variables that exist', (path) => {
    const lines = readText(path).match(/^Environment=.*$/gm) ?? []
    const names = lines.flatMap((line) => [...line.matchAll(/[= ]([A-Z_]+)=/g)].map(([, name = '']) => name))
    expect(wrongNames(names)).toEqual([])
  })

  it('gives the service the time to drain', () => {
    expect(readText('deploy/systemd/chancery.service')).toContain(`TimeoutStopSec=${drainSeconds + 20}\n`)
  })
})

describe('the Helm chart', () => {
  const folder = 'deploy/helm/chancery'
  const values = parse(readText(`${folder}/values.yaml`)) as { config: object; drain: { seconds: number } }
  const templates = allPaths.filter((path) => path.startsWith(`${folder}/templates/`))
  const everything = templates.map(readText).join('\n')

  it('has the version of the server', () => {
    const { version } = JSON.parse(readText('package.json')) as { version: string }
    expect(parse(readText(`${folder}/Chart.yaml`))).toMatchObject({ version, appVersion: version })
  })

  it('sets variables that exist', () => {
    const named = everything.match(/\b(SVC|DATABASE|JWT|S3|ADMIN|METRICS)_[A-Z_]+\b/g) ?? []
    expect(named).toContain('SVC_ROLE')
    expect(wrongNames([...named, ...Object.keys(values.config)])).toEqual([])
    expect(values.drain.seconds).toBe(drainSeconds)
  })

  it('uses only values that have a default', () => {
    const read = (path: string): unknown =>
      path.split('.').reduce<unknown>((found, key) => (found as Record<string, unknown> | undefined)?.[key], values)
    const used = [...everything.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path)
    expect(used.filter((path) => read(path) === undefined)).toEqual([])
  })

  it('scales by metrics that exist', () => {
    const adapter = readText('deploy/helm/prometheus-adapter.yaml')
    expect(parseAllDocuments(adapter).flatMap(({ errors }) => errors)).toEqual([])
    const code = allPaths
      .filter((path) => /^server\/src\/.*metrics\.ts$|loop-watch\.ts$/.test(path))
      .map(readText)
      .join('')
    for (const name of ['chancery_loop_late_seconds', 'chancery_job_queue_age_seconds', 'chancery_event_lag_seconds'])
      expect(code).toContain(`'${name}'`)
    const made = [...adapter.matchAll(/as: (\w+)/g)].map(([, name = '']) => name)
    expect(made).toHaveLength(2)
    for (const name of made) expect(everything).toContain(`name: ${name}`)
  })
})

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; runbook_url: string }
}

describe('the alert rules', () => {
  const { groups } = parse(readText('deploy/observability/alerts.yaml')) as { groups: { rules: Rule[] }[] }
  const rules = groups.flatMap((group) => group.rules)
  const parts = [...readText('docs/alerts.md').matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name)

  it('each have a part that says what to do, and there is no part without one', () => {
    expect(parts).toEqual(rules.map(({ alert }) => alert))
    for (const { alert, annotations } of rules)
      expect(annotations.runbook_url).toBe(`docs/alerts.md#${alert.toLowerCase()}`)
    expect(rules.filter(({ labels }) => !['page', 'ticket'].includes(labels.severity))).toEqual([])
  })

  it('know the server by the name that the chart and the example of a configuration give it', () => {
    const named = new Set(rules.flatMap(({ expr }) => [...expr.matchAll(/[{,]job="(\w+)"/g)].map(([, name]) => name)))
    expect([...named]).toEqual(['chancery'])
    expect(readText('deploy/observability/README.md')).toContain('job_name: chancery')
    const monitoring = readText('deploy/helm/chancery/templates/monitoring.yaml')
    expect(monitoring).toContain('{ targetLabel: job, replacement: chancery }')
  })

  it('know the label of a job by the name that Prometheus gives it', () => {
    const ofJobs = rules.filter(({ expr }) => expr.includes('chancery_job_'))
    expect(ofJobs.filter(({ expr }) => !expr.includes('by (exported_job)'))).toEqual([])
  })
})

describe('the image', () => {
  it('is built from everything that a release is made of', () => {
    const ignored = readText('deploy/Dockerfile.dockerignore')
    const assembled = readText('scripts/release/assemble.ts').match(/^ {2}'[\w./-]+',$/gm) ?? []
    const { workspaces } = JSON.parse(readText('package.json')) as { workspaces: string[] }
    const tops = new Set([...workspaces, ...assembled.map((line) => line.trim().slice(1, -2).split('/')[0])])
    // The build of the web app refuses a configuration that extends one that is missing.
    const { extends: base } = JSON.parse(readText('web/tsconfig.json')) as { extends: string }
    tops.add(base.replace('../', ''))
    expect([...tops].filter((name) => !ignored.includes(`\n!${name}\n`))).toEqual([])
  })
})
