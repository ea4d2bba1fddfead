/** Imports chats from a file, and exports all of them. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download, Upload } from 'lucide-react'
import { type ChangeEvent, useRef } from 'react'
import { chatKeys } from '#lib/chat-keys.ts'
import { Button, buttonLook } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { toast } from '#ui/toast.tsx'
import { chatCalls, exportAddress } from './api.ts'
import { readImport } from './read-import.ts'

export function TransferDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title="Import and export" isOpen={isOpen} onClose={onClose}>
      <div className="flex flex-col gap-6">
        <ExportPart />
        <ImportPart onDone={onClose} />
      </div>
    </Dialog>
  )
}

const ExportPart = () => (
  <section aria-label="Export" className="flex items-start justify-between gap-4 border-b pb-6">
    <div>
      <h3 className="font-medium">Export</h3>
      <p className="text-soft text-sm">All chats with all branches, including archived ones, in one file.</p>
    </div>
    <a href={exportAddress} download="chats.json" className={buttonLook('plain')}>
      <Download aria-hidden className="size-4" /> Export all
    </a>
  </section>
)

const chatCount = (count: number) => (count === 1 ? '1 chat' : `${count} chats`)

function ImportPart({ onDone }: { onDone: () => void }) {
  const queryClient = useQueryClient()
  const inputRef = useRef<HTMLInputElement>(null)
  const load = useMutation({
    mutationFn: async (file: File) => {
      const read = readImport(await file.text())
      if ('problem' in read) throw new Error(read.problem)
      return chatCalls.import(read.body)
    },
    onSuccess: async ({ imported }) => {
      await queryClient.invalidateQueries({ queryKey: chatKeys.all })
      toast.done(`Imported ${chatCount(imported)}`)
      onDone()
    },
  })
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    // Reset, so the same file can be chosen again after fixing it.
    target.value = ''
    if (file) load.mutate(file)
  }
  return (
    <section aria-label="Import" className="relative flex items-start justify-between gap-4">
      <div>
        <h3 className="font-medium">Import</h3>
        <p className="text-soft text-sm">
          A JSON file in the export format. If something in it is invalid, nothing is imported.
        </p>
        <p role="status" className="mt-1 text-bad text-sm">
          {load.error?.message}
        </p>
      </div>
      <input
        ref={inputRef}
        type="file"
        accept="application/json,.json"
        aria-label="Chats file"
        onChange={onChange}
        className="sr-only"
        tabIndex={-1}
      />
      <Button icon={Upload} isPending={load.isPending} onClick={() => inputRef.current?.click()}>
        Choose file
      </Button>
    </section>
  )
}
