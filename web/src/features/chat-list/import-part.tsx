/** Imports chats from a file of any size, shows how far it is, and reports what was skipped. */
import type { ImportReply } from '@chancery/contract/chats.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { activityKey } from '#lib/activity-key.ts'
import { chatKeys } from '#lib/chat-keys.ts'
import { uuidV4 } from '#lib/uuid.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/toast.tsx'
import { chatCalls, importQuery } from './api.ts'

const chatCount = (count: number) => (count === 1 ? '1 chat' : `${count} chats`)

export function ImportPart({ onDone }: { onDone: () => void }) {
  const queryClient = useQueryClient()
  const inputRef = useRef<HTMLInputElement>(null)
  const abort = useRef<AbortController>(null)
  const [part, setPart] = useState(0)
  const [importId, setImportId] = useState('')
  const load = useMutation({
    mutationFn: (file: File) => {
      abort.current = new AbortController()
      const id = uuidV4()
      setPart(0)
      setImportId(id)
      return chatCalls.import(file, { importId: id, onProgress: setPart, signal: abort.current.signal })
    },
    onSuccess: ({ imported, skipped_count }) => {
      toast.done(`Imported ${chatCount(imported)}`)
      // A report of skipped chats stays on screen.
      if (skipped_count === 0) onDone()
    },
    // A cancelled import keeps the chats that were already imported.
    onSettled: () => queryClient.invalidateQueries({ queryKey: chatKeys.all }),
  })
  useEffect(() => () => abort.current?.abort(), [])
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    // Reset, so the same file can be chosen again after fixing it.
    target.value = ''
    if (file) load.mutate(file)
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
        <Button icon={Upload} isPending={load.isPending} onClick={() => inputRef.current?.click()}>
          Choose file
        </Button>
      </div>
      {load.isPending && <Progress importId={importId} part={part} onCancel={() => abort.current?.abort()} />}
      <p role="status" className="text-bad text-sm empty:hidden">
        {load.error?.message}
      </p>
      {load.data && load.data.skipped_count > 0 && <Skipped report={load.data} />}
    </section>
  )
}

function Progress({ importId, part, onCancel }: { importId: string; part: number; onCancel: () => void }) {
  const queryClient = useQueryClient()
  const { data } = useQuery(importQuery(importId))
  const isRunning = data !== undefined
  useEffect(() => {
    if (isRunning) void queryClient.invalidateQueries({ queryKey: activityKey })
  }, [queryClient, isRunning])
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-center gap-3">
        <progress aria-label="Import progress" value={part} max={1} className="h-1.5 grow accent-ink" />
        <span className="figures text-soft text-sm">{Math.floor(part * 100)}%</span>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
      <p className="figures text-soft text-sm">
        {data ? `${chatCount(data.imported)} imported` : 'Starting…'}
        {data && data.skipped_count > 0 && `, ${data.skipped_count} skipped`}
      </p>
    </div>
  )
}

function Skipped({ report }: { report: ImportReply }) {
  const { imported, skipped, skipped_count } = report
  return (
    <div>
      <p className="text-sm">
        Imported {chatCount(imported)}, skipped {skipped_count}.
      </p>
      <ul aria-label="Skipped chats" className="mt-2 max-h-48 overflow-y-auto border-t text-sm">
        {skipped.map(({ index, title, reason }) => (
          <li key={index} className="border-b py-1.5">
            <span className="font-medium">{title ?? `Chat ${index + 1}`}</span>
            <span className="block text-soft">{reason}</span>
          </li>
        ))}
      </ul>
      {skipped_count > skipped.length && <p className="text-soft text-sm">and {skipped_count - skipped.length} more</p>}
    </div>
  )
}
