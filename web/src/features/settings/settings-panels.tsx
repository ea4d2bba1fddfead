/** All settings, grouped by key. */
import type { SettingEntry } from '@chancery/contract/settings.ts'
import { Panel } from '#ui/layout.tsx'
import { Empty, ErrorPanel, Loading, Skeleton } from '#ui/states.tsx'
import { useSettings } from './api.ts'
import { SettingField } from './setting-field.tsx'
import { groupOf } from './setting-value.ts'

const titles: Record<string, string> = {
  events: 'Events',
  oauth: 'Sign-in providers',
  'oauth.oidc': 'OpenID Connect',
  'oauth.google': 'Google',
  'oauth.microsoft': 'Microsoft',
}

export function SettingsPanels() {
  const settings = useSettings()
  if (settings.isPending) return <PanelsSkeleton />
  if (settings.isError) return <ErrorPanel error={settings.error} onRetry={settings.refetch} />
  if (settings.data.items.length === 0) {
    return (
      <Panel title="Settings" isFlush>
        <Empty title="No settings" hint="All settings come from the server’s environment." />
      </Panel>
    )
  }
  const groups = [...Map.groupBy(settings.data.items, ({ key }) => groupOf(key))]
  return (
    <>
      {groups
        .toSorted(([one], [other]) => one.localeCompare(other))
        .map(([group, entries]) => (
          <Group key={group} group={group} entries={entries} />
        ))}
    </>
  )
}

const heldToEnvironment = 'These settings come from the server’s environment and are read-only here.'

function Group({ group, entries }: { group: string; entries: SettingEntry[] }) {
  const isHeld = entries.every(({ isEditable }) => !isEditable)
  return (
    <Panel title={titles[group] ?? group} hint={isHeld ? heldToEnvironment : undefined}>
      <ul className="flex flex-col divide-y divide-line">
        {entries.map((entry) => (
          <li key={entry.key} className="py-5 first:pt-0 last:pb-0">
            {/* A new value remounts the field, which discards anything typed before. */}
            <SettingField key={JSON.stringify([entry.value, entry.source, entry.isSet])} entry={entry} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const PanelsSkeleton = () => (
  <Loading label="Loading settings">
    <div className="flex flex-col gap-6">
      <Skeleton className="h-32 rounded-panel" />
      <Skeleton className="h-96 rounded-panel" />
    </div>
  </Loading>
)
