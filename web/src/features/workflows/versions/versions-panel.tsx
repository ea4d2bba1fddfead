/** All published and manually saved versions: kind, author, notes, and which one is live. */
import type { VersionItem } from '@chancery/contract/workflows/workflows.ts'
import { Ellipsis, FileDiff, GitCompareArrows, History, Radio } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, IconButton } from '#ui/button/button.tsx'
import { Empty, ErrorPanel } from '#ui/feedback/states.tsx'
import { Menu, MenuItem, MenuLine } from '#ui/overlay/menu.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { type Column, Table, TableSkeleton } from '#ui/table/table.tsx'
import { Avatar } from '#ui/values/avatar.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import { draftKey, useVersions } from './api.ts'
import { firstComparison, versionBefore } from './side-labels.ts'

interface VersionsPanelProps {
  workflowId: string
  /** True if triggers start the live version; false after a rollback. */
  fires: boolean
  /** Opens the snapshot dialog. */
  action: ReactNode
  onCompare: (from: string, to: string) => void
  onRollBack: (version: VersionItem) => void
}

export function VersionsPanel({ workflowId, fires, action, onCompare, onRollBack }: VersionsPanelProps) {
  const versions = useVersions(workflowId)
  const live = versions.data?.find(({ live: isLive }) => isLive)
  return (
    <Panel
      title="Versions"
      hint="Publishing saves a version automatically. Versions are permanent until the workflow is deleted."
      action={action}
      isFlush
    >
      {versions.isPending && <TableSkeleton columns={5} />}
      {versions.isError && (
        <div className="px-5 pb-5">
          <ErrorPanel error={versions.error} onRetry={versions.refetch} />
        </div>
      )}
      {versions.data?.length === 0 && (
        <Empty title="No versions yet" hint="Publishing creates one. To save the current draft, take a snapshot." />
      )}
      {versions.data && versions.data.length > 0 && (
        <Table
          label="Versions"
          columns={columnsOf({ live: live?.version, fires, onCompare, onRollBack })}
          rows={versions.data}
          keyOf={({ id }) => id}
        />
      )}
      {versions.hasNextPage && (
        <div className="border-t px-5 py-3 text-center">
          <Button size="small" isPending={versions.isFetchingNextPage} onClick={() => void versions.fetchNextPage()}>
            Load older versions
          </Button>
        </div>
      )}
    </Panel>
  )
}

interface Actions extends Pick<VersionsPanelProps, 'fires' | 'onCompare' | 'onRollBack'> {
  /** The number of the live version. */
  live: number | undefined
}

const columnsOf = (actions: Actions): Column<VersionItem>[] => [
  { head: 'Version', cell: (item) => <Name item={item} {...actions} /> },
  { head: 'Type', isPlain: true, cell: ({ type }) => <Badge>{type}</Badge> },
  {
    head: 'Author',
    isPlain: true,
    cell: ({ author: { name } }) => (
      <span className="flex items-center gap-2 whitespace-nowrap">
        <Avatar name={name} className="@max-2xl:hidden" />
        {name}
      </span>
    ),
  },
  { head: 'Created', isPlain: true, cell: ({ timestamp }) => <Time at={timestamp} /> },
  {
    head: 'Notes',
    isPlain: true,
    cell: (item) => {
      const notes = notesOf(item)
      return notes === '' ? (
        <span className="text-faint @max-2xl:hidden">–</span>
      ) : (
        <span title={notes} className="line-clamp-2">
          {notes}
        </span>
      )
    },
  },
  { head: 'Actions', isActions: true, cell: (item) => <Actions item={item} {...actions} /> },
]

/** The version that a rollback saved is the draft that was replaced; its notes say why. */
const notesOf = ({ notes, rolled_back_to }: VersionItem): string =>
  rolled_back_to === null
    ? notes
    : `Before rolling back to version ${rolled_back_to}${notes === '' ? '' : `: ${notes}`}`

function Name({ item: { version, live }, fires, onCompare }: Actions & { item: VersionItem }) {
  const { from, to } = firstComparison(version)
  return (
    <span className="flex items-center gap-2">
      <button
        type="button"
        title={version > 1 ? 'View changes' : 'Compare with draft'}
        onClick={() => onCompare(from, to)}
        className="whitespace-nowrap font-medium underline decoration-transparent underline-offset-4 hover:decoration-seal"
      >
        Version {version}
      </button>
      {live && <Badge tone={fires ? 'good' : 'warn'}>{fires ? 'Live' : 'Last published'}</Badge>}
    </span>
  )
}

function Actions({ item, live, fires, onCompare, onRollBack }: Actions & { item: VersionItem }) {
  const key = String(item.version)
  const previous = versionBefore(item.version)
  return (
    <span className="relative flex justify-end text-left">
      <Menu trigger={<IconButton label={`Actions for version ${item.version}`} icon={Ellipsis} />}>
        {previous !== undefined && (
          <MenuItem icon={FileDiff} onSelect={() => onCompare(previous, key)}>
            View changes
          </MenuItem>
        )}
        <MenuItem icon={GitCompareArrows} onSelect={() => onCompare(key, draftKey)}>
          Compare with draft
        </MenuItem>
        {live !== undefined && live !== item.version && (
          <MenuItem icon={Radio} onSelect={() => onCompare(key, String(live))}>
            {fires ? 'Compare with live version' : 'Compare with last published version'}
          </MenuItem>
        )}
        <MenuLine />
        <MenuItem icon={History} tone="bad" onSelect={() => onRollBack(item)}>
          Roll back to this version
        </MenuItem>
      </Menu>
    </span>
  )
}
