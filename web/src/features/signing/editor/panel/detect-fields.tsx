/**
 * Places fields where the files ask for them: form fields, and lines such as "Signature: ____". They go to whom the page
 * names, or else to the chosen recipient.
 */
import type { SigningDocument } from '@chancery/contract/signing/documents.ts'
import { useMutation } from '@tanstack/react-query'
import { ScanSearch } from 'lucide-react'
import { flushSync } from 'react-dom'
import { uuidV4 } from '#lib/browser/uuid.ts'
import { counted } from '#lib/text/counted.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { getProposals } from '../../documents/api.ts'
import { scrollToField } from '../pages/editor-page.tsx'
import { detectedFields, type EditorField } from '../state/fields.ts'
import { ownersOf, type ProposedIn } from '../state/owners.ts'
import type { Editor, PageRef } from '../use-editor.ts'

const list = new Intl.ListFormat('en')

const firstOf = (fields: readonly EditorField[], { files }: Pick<SigningDocument, 'files'>) => {
  const fileAt = ({ fileId }: EditorField) => files.findIndex(({ id }) => id === fileId)
  return fields.toSorted((one, other) => fileAt(one) - fileAt(other) || one.page - other.page || one.y - other.y)[0]
}

interface DetectFieldsProps {
  document: SigningDocument
  editor: Editor
  recipientId: string
  onActive: (page: PageRef) => void
}

export function DetectFields({ document, editor, recipientId, onActive }: DetectFieldsProps) {
  const { files, recipients } = document
  const detect = useMutation({
    mutationFn: async () => {
      const found: ProposedIn[] = []
      for (const { id: fileId } of files) found.push({ fileId, proposals: await getProposals(document.id, fileId) })
      return found
    },
    onSuccess: (found) => {
      const ownerOf = ownersOf(found, { recipients, chosenId: recipientId })
      const added = detectedFields(found, editor.fields, { ownerOf, keyOf: uuidV4 })
      const first = firstOf(added, document)
      if (!first) return toast.done('No new fields found')
      // Drawn at once, so that there is something to scroll to.
      flushSync(() => editor.place(added))
      onActive({ fileId: first.fileId, page: first.page })
      scrollToField(first)
      const names = recipients
        .filter(({ id }) => added.some((field) => field.recipientId === id))
        .map(({ name }) => name)
      toast.done(`${counted(added.length, 'field')} placed for ${list.format(names)}`)
    },
    onError: toast.failed,
  })
  return (
    <Button
      size="small"
      icon={ScanSearch}
      isPending={detect.isPending}
      onClick={() => detect.mutate()}
      className="mt-3 w-full"
    >
      Detect fields
    </Button>
  )
}
