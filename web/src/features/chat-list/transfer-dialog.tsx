/** Takes chats in from a file, and hands all of them out as one. */
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
      <p className="text-soft text-sm">Every chat with all its branches, archived ones too, as one file.</p>
    </div>
    <a href={exportAddress} download="chats.json" className={buttonLook('plain')}>
      <Download aria-hidden className="size-4" /> Export all
    </a>
  </section>
)

const sayChats = (count: number) => (count === 1 ? '1 chat' : `${count} chats`)

function ImportPart({ onDone }: { onDone: () => void }) {
  const queryClient = useQueryClient()
  const place = useRef<HTMLInputElement>(null)
  const load = useMutation({
    mutationFn: async (file: File) => {
      const read = readImport(await file.text())
      if ('problem' in read) throw new Error(read.problem)
      return chatCalls.import(read.body)
    },
    onSuccess: async ({ imported }) => {
      await queryClient.invalidateQueries({ queryKey: chatKeys.all })
      toast.done(`${sayChats(imported)} imported.`)
      onDone()
    },
  })
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    // The same file may be chosen again after it was mended.
    target.value = ''
    if (file) load.mutate(file)
  }
  return (
    <section aria-label="Import" className="relative flex items-start justify-between gap-4">
      <div>
        <h3 className="font-medium">Import</h3>
        <p className="text-soft text-sm">
          A JSON file as the export makes it. Either all of it is taken in or nothing.
        </p>
        <p role="status" className="mt-1 text-bad text-sm">
          {load.error?.message}
        </p>
      </div>
      <input
        ref={place}
        type="file"
        accept="application/json,.json"
        aria-label="File of chats"
        onChange={onChange}
        className="sr-only"
        tabIndex={-1}
      />
      <Button icon={Upload} isPending={load.isPending} onClick={() => place.current?.click()}>
        Choose a file
      </Button>
    </section>
  )
}
