/** A connection of the environment: to be looked at. Changing it is a matter of the machine it runs on. */
import type { Connection } from '@chancery/contract/connections.ts'
import { Facts } from '#ui/layout.tsx'
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
        This connection comes from the environment. To change it, set{' '}
        <span className="font-mono text-sm">{variables[type]}</span> and start the service again.
      </p>
      <Facts
        items={[
          { term: 'Type', value: typeNames[type] },
          { term: 'Address', value: <span className="break-all font-mono text-sm">{url}</span> },
          { term: 'Key', value: has_key ? 'Set' : 'None' },
          { term: 'Timeout', value: timeout_sec === null ? 'Default' : `${timeout_sec} s` },
          { term: 'Health', value: <Health connection={connection} /> },
          { term: 'Models', value: <span className="figures">{health.model_count}</span> },
        ]}
      />
    </>
  )
}
