/** All settings in groups, with a search. Read-only ones without a value are folded away. */
import type { SettingEntry } from '@chancery/contract/platform/settings.ts'
import { useState } from 'react'
import { counted } from '#lib/text/counted.ts'
import { Empty, ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { SearchInput } from '#ui/form/search-input.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { useSettings } from './api.ts'
import { SettingField } from './setting-field.tsx'
import { isIdle, matchSettings, titleOf } from './setting-labels.ts'
import { groupOf } from './setting-value.ts'

export function SettingsPanels() {
  const settings = useSettings()
  const [text, setText] = useState('')
  if (settings.isPending) return <PanelsSkeleton />
  if (settings.isError) return <ErrorPanel error={settings.error} onRetry={settings.refetch} />
  if (settings.data.items.length === 0) {
    return (
      <Panel title="Settings" isFlush>
        <Empty title="No settings" hint="All settings come from the server’s environment." />
      </Panel>
    )
  }
  const found = matchSettings(settings.data.items, text)
  const groups = [...Map.groupBy(found, ({ key }) => groupOf(key))]
  return (
    <>
      <SearchInput label="Search settings" value={text} onSearch={setText} />
      {groups.length === 0 && <Empty title="No matching settings" hint="Try another word, or a part of the key." />}
      {groups
        .toSorted(([one], [other]) => titleOf(one).localeCompare(titleOf(other)))
        .map(([group, entries]) => (
          <Group key={group} group={group} entries={entries} />
        ))}
    </>
  )
}

const heldToEnvironment = 'These settings come from the server’s environment and are read-only here.'

function Group({ group, entries }: { group: string; entries: SettingEntry[] }) {
  const isHeld = entries.every(({ isEditable }) => !isEditable)
  const idle = entries.filter(isIdle)
  return (
    <Panel title={titleOf(group)} hint={isHeld ? heldToEnvironment : undefined}>
      <Fields entries={entries.filter((entry) => !isIdle(entry))} />
      {idle.length > 0 && (
        <details className="not-first:mt-5">
          <summary className="cursor-pointer text-soft text-sm">{counted(idle.length, 'unset value')}</summary>
          <div className="mt-4">
            <Fields entries={idle} />
          </div>
        </details>
      )}
    </Panel>
  )
}

const Fields = ({ entries }: { entries: readonly SettingEntry[] }) =>
  entries.length === 0 ? null : (
    <ul className="flex flex-col divide-y divide-line">
      {entries.map((entry) => (
        <li key={entry.key} className="py-5 first:pt-0 last:pb-0">
          {/* A new value remounts the field, which discards anything typed before. */}
          <SettingField key={JSON.stringify([entry.value, entry.source, entry.isSet])} entry={entry} />
        </li>
      ))}
    </ul>
  )

const PanelsSkeleton = () => (
  <Loading label="Loading settings">
    <div className="flex flex-col gap-6">
      <Skeleton className="h-32 rounded-panel" />
      <Skeleton className="h-96 rounded-panel" />
    </div>
  </Loading>
)
