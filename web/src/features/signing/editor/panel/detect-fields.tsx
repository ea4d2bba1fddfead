/** Places fields for the chosen recipient where the files ask for them: form fields, and lines such as "Signature: ____". */
import type { SigningDocument } from '@chancery/contract/signing-documents.ts'
import { useMutation } from '@tanstack/react-query'
import { ScanSearch } from 'lucide-react'
import { uuidV4 } from '#lib/uuid.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/toast.ts'
import { getProposals } from '../../documents/api.ts'
import { detectedFields, type ProposedIn } from '../state/fields.ts'
import type { Editor } from '../use-editor.ts'

interface DetectFieldsProps {
  document: SigningDocument
  editor: Editor
  recipientId: string
}

export function DetectFields({ document, editor, recipientId }: DetectFieldsProps) {
  const detect = useMutation({
    mutationFn: async () => {
      const found: ProposedIn[] = []
      for (const { id: fileId } of document.files)
        found.push({ fileId, proposals: await getProposals(document.id, fileId) })
      return found
    },
    onSuccess: (found) => {
      const added = detectedFields(found, editor.fields, { recipientId, keyOf: uuidV4 })
      if (added.length === 0) return toast.done('No new fields found')
      editor.insert(added)
      toast.done(added.length === 1 ? '1 field placed' : `${added.length} fields placed`)
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
