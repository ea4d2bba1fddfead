/** The files of a draft: add another, move one up or down, or remove one with its fields. */
import type { SigningDocument } from '@chancery/contract/signing/documents.ts'
import { ArrowDown, ArrowUp, FilePlus, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { useViewer } from '#data/viewer.ts'
import { counted } from '#lib/text/counted.ts'
import { Button, IconButton } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { fileUrl, useAddFiles, useOrderFiles, useRemoveFile } from '../../documents/api.ts'
import { accept, UploadDialog, useUpload } from '../../documents/upload.tsx'
import { FileNotes } from './file-notes.tsx'

export function FilesSection({ document: { id, files, versions, owner } }: { document: SigningDocument }) {
  const isSender = useViewer().id === owner.id
  const inputRef = useRef<HTMLInputElement>(null)
  const add = useAddFiles(id)
  const upload = useUpload((added, answers, options) => add.mutateAsync({ files: added, answers, options }))
  const remove = useRemoveFile(id)
  const order = useOrderFiles(id)
  const move = (from: number, by: -1 | 1) => {
    const fileIds = files.map((file) => file.id)
    fileIds.splice(from + by, 0, ...fileIds.splice(from, 1))
    order.mutate({ fileIds, version: versions.files }, { onError: toast.failed })
  }
  return (
    <div className="flex flex-col gap-2">
      <ul className="flex flex-col gap-3">
        {files.map((file, index) => (
          <li key={file.id}>
            <div className="flex items-center gap-2">
              <span className="min-w-0 flex-1">
                <span className="block truncate">{file.name}</span>
                <span className="block text-faint text-sm">{counted(file.pageCount, 'page')}</span>
              </span>
              {files.length > 1 && (
                <>
                  <IconButton
                    label={`Move ${file.name} up`}
                    icon={ArrowUp}
                    isTiny
                    disabled={index === 0 || order.isPending}
                    onClick={() => move(index, -1)}
                  />
                  <IconButton
                    label={`Move ${file.name} down`}
                    icon={ArrowDown}
                    isTiny
                    disabled={index === files.length - 1 || order.isPending}
                    onClick={() => move(index, 1)}
                  />
                </>
              )}
              {files.length > 1 && (
                <IconButton
                  label={`Remove ${file.name} and its fields`}
                  icon={Trash2}
                  isTiny
                  onClick={() => remove.mutate(file.id)}
                />
              )}
            </div>
            <FileNotes
              file={file}
              uploadUrl={isSender ? fileUrl(id, { version: 'uploaded', fileId: file.id }) : undefined}
            />
          </li>
        ))}
      </ul>
      <input
        ref={inputRef}
        type="file"
        multiple
        accept={accept}
        aria-label="More PDF files"
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          upload.start([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <Button
        size="small"
        icon={FilePlus}
        className="self-start"
        isPending={upload.sent !== undefined}
        onClick={() => inputRef.current?.click()}
      >
        Add file
      </Button>
      <UploadDialog upload={upload} />
    </div>
  )
}
