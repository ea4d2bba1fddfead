/** A connection from the environment, read-only: it can only be changed on the server. */
import type { Connection } from '@chancery/contract/models/connections.ts'
import { Facts } from '#ui/page/layout.tsx'
import { typeNames } from './connections-panel.tsx'
import { Health } from './health.tsx'

const variables: Record<Connection['type'], string> = {
  upstream: 'UPSTREAM_BASE_URLS',
  compat: 'COMPAT_API_BASE_URLS and COMPAT_API_KEYS',
}

export function EnvironmentFacts({ connection }: { connection: Connection }) {
  const { type, url, has_key, health, timeout_sec } = connection
  return (
    <>
      <p className="mb-5 rounded-control bg-sunken px-4 py-3 text-soft">
        This connection is defined by an environment variable. To change it, set{' '}
        <span className="font-mono text-sm">{variables[type]}</span> and restart the server.
      </p>
      <Facts
        items={[
          { term: 'Type', value: typeNames[type] },
          { term: 'URL', value: <span className="break-all font-mono text-sm">{url}</span> },
          { term: 'Key', value: has_key ? 'Set' : 'None' },
          { term: 'Timeout', value: timeout_sec === null ? 'Default' : `${timeout_sec} s` },
          { term: 'Health', value: <Health connection={connection} /> },
          { term: 'Models', value: <span className="figures">{health.model_count}</span> },
        ]}
      />
    </>
  )
}
