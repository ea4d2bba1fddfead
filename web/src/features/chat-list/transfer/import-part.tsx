/**
 * Imports chats from a file of any size, shows how far it is, and reports what was skipped. An import continues when the
 * dialog is closed, and is still there when it is opened again.
 */
import type { ImportReply } from '@chancery/contract/chats/chats.ts'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { type ChangeEvent, useEffect, useRef } from 'react'
import { activityKey } from '#data/activity-key.ts'
import { chatKeys } from '#data/chat-keys.ts'
import { dropWork, startWork, stopWork, type TabWork, useTabWork } from '#lib/tab/tab-work.ts'
import { counted } from '#lib/text/counted.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { chatCalls, importQuery } from '../api.ts'

export function ImportPart({ onDone }: { onDone: () => void }) {
  const queryClient = useQueryClient()
  const inputRef = useRef<HTMLInputElement>(null)
  const isShown = useRef(true)
  const work = useTabWork().findLast(({ kind }) => kind === 'chat-import')
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    // Reset, so the same file can be chosen again after fixing it.
    target.value = ''
    if (!file) return
    if (work) dropWork(work.id)
    importChats(queryClient, file, () => isShown.current && onDone())
  }
  return (
    <section aria-label="Import" className="relative flex flex-col gap-3">
      <div className="flex items-start justify-between gap-4">
        <div>
          <h3 className="font-medium">Import</h3>
          <p className="text-soft text-sm">
            An export from here or from Open WebUI, up to 500 MB. Chats that can’t be read are skipped and listed.
          </p>
        </div>
        <input
          ref={inputRef}
          type="file"
          accept="application/json,application/x-ndjson,.json,.ndjson,.jsonl"
          aria-label="Chats file"
          onChange={onChange}
          className="sr-only"
          tabIndex={-1}
        />
        <Button icon={Upload} isPending={work?.state === 'running'} onClick={() => inputRef.current?.click()}>
          Choose file
        </Button>
      </div>
      {work?.state === 'running' && <Progress work={work} />}
      <p role="status" className="text-bad text-sm empty:hidden">
        {work?.state === 'failed' ? work.word : ''}
      </p>
      {work?.state === 'done' && <Skipped work={work} />}
    </section>
  )
}

/** A report of skipped chats stays, in the dialog and in the activity tray. A stopped import keeps what was imported. */
const importChats = (queryClient: QueryClient, file: File, onDone: () => void) =>
  void startWork({ kind: 'chat-import', name: `Import of “${file.name}”`, word: '0%' }, async ({ id, ...run }) => {
    const onProgress = (part: number) => run.report({ word: `${Math.floor(part * 100)}%`, part })
    try {
      const reply = await chatCalls.import(file, { importId: id, onProgress, signal: run.signal })
      toast.done(`Imported ${counted(reply.imported, 'chat')}`)
      if (reply.skipped_count === 0) onDone()
      return {
        word: `Imported ${counted(reply.imported, 'chat')}, skipped ${reply.skipped_count}.`,
        problems: problemsOf(reply),
      }
    } finally {
      void queryClient.invalidateQueries({ queryKey: chatKeys.all })
    }
  })

const problemsOf = ({ skipped, skipped_count: count }: ImportReply): string[] => {
  const named = skipped.map(({ index, title, reason }) => `${title ?? `Chat ${index + 1}`}: ${reason}`)
  return count > skipped.length ? [...named, `and ${count - skipped.length} more`] : named
}

function Progress({ work: { id, part = 0, word } }: { work: TabWork }) {
  const queryClient = useQueryClient()
  const { data } = useQuery(importQuery(id))
  const isRunning = data !== undefined
  useEffect(() => {
    if (isRunning) void queryClient.invalidateQueries({ queryKey: activityKey })
  }, [queryClient, isRunning])
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-center gap-3">
        <progress aria-label="Import progress" value={part} max={1} className="h-1.5 grow accent-ink" />
        <span className="figures text-soft text-sm">{word}</span>
        <Button onClick={() => stopWork(id)}>Cancel</Button>
      </div>
      <p className="figures text-soft text-sm">
        {data ? `${counted(data.imported, 'chat')} imported` : 'Starting…'}
        {data && data.skipped_count > 0 && `, ${data.skipped_count} skipped`}
      </p>
    </div>
  )
}

const Skipped = ({ work: { word, problems } }: { work: TabWork }) => (
  <div>
    <p className="text-sm">{word}</p>
    <ul aria-label="Skipped chats" className="mt-2 max-h-48 overflow-y-auto border-t text-sm">
      {problems.map((problem, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two chats may have the same title and reason; the list never changes
        <li key={index} className="border-b py-1.5 [overflow-wrap:anywhere]">
          {problem}
        </li>
      ))}
    </ul>
  </div>
)
