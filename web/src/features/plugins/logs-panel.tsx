/** A plugin's log lines and errors, newest first. */
import type { Plugin, PluginLogs } from '@chancery/contract/plugins/plugins.ts'
import type { z } from 'zod'
import { Empty, ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Badge, type Tone } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import { useLogs } from './api.ts'

type Line = z.infer<typeof PluginLogs>['items'][number]

const tones: Record<Line['level'], Tone> = { debug: 'plain', info: 'plain', warn: 'warn', error: 'bad' }

export function LogsPanel({ plugin }: { plugin: Plugin }) {
  const logs = useLogs(plugin)
  if (logs.isPending)
    return (
      <Loading label="Loading log">
        <Skeleton className="h-24 w-full" />
      </Loading>
    )
  if (logs.isError) return <ErrorPanel error={logs.error} onRetry={logs.refetch} />
  if (logs.data.length === 0)
    return (
      <Empty
        title="Nothing logged yet"
        hint="What the plugin writes with console.log, and its failures, appear here."
      />
    )
  return (
    <ol aria-label="Log" className="divide-y divide-line">
      {logs.data.map(({ id, at, level, text }) => (
        <li key={id} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 py-2">
          <Badge tone={tones[level]}>{level}</Badge>
          <span className="text-faint text-xs">
            <Time at={at} />
          </span>
          <pre className="min-w-0 flex-1 basis-80 whitespace-pre-wrap font-mono text-sm [overflow-wrap:anywhere]">
            {text}
          </pre>
        </li>
      ))}
    </ol>
  )
}
