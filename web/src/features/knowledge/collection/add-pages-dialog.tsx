/** Adds one web page to a collection, or the pages of a site in the background. */
import { type FormEvent, useState } from 'react'
import { fieldsOf } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select, TextInput } from '#ui/form/inputs.tsx'
import { Dialog, DialogActions } from '#ui/overlay/dialog.tsx'
import { useAddPage, useStartCrawl } from '../api.ts'

interface AddPagesDialogProps {
  collectionId: string
  isOpen: boolean
  onClose: () => void
}

export function AddPagesDialog({ collectionId, isOpen, onClose }: AddPagesDialogProps) {
  const add = useAddPage(collectionId)
  const crawl = useStartCrawl(collectionId)
  const [problem, setProblem] = useState<string>()
  const [depth, setDepth] = useState('')
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { url = '', pages = '' } = fieldsOf(event.currentTarget)
    const address = url.trim()
    if (!URL.canParse(address)) return setProblem('Enter a complete address, such as https://example.com/help.')
    setProblem(undefined)
    if (depth === '') add.mutate(address, { onSuccess: onClose })
    else crawl.mutate({ url: address, depth: Number(depth), max_pages: Number(pages) }, { onSuccess: onClose })
  }
  return (
    <Dialog
      title="Add web pages"
      hint="Their text is fetched once and added to this collection."
      isOpen={isOpen}
      onClose={onClose}
    >
      <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
        <Field label="Address" name="url" problem={problem} help="A public web page or PDF.">
          <TextInput type="url" placeholder="https://" autoComplete="off" spellCheck={false} />
        </Field>
        <Field label="Pages" name="depth">
          <Select value={depth} onChange={(event) => setDepth(event.target.value)}>
            <option value="">Only this page</option>
            <option value="1">Also the pages it links to</option>
            <option value="2">Two links deep</option>
            <option value="3">Three links deep</option>
            <option value="5">Five links deep</option>
          </Select>
        </Field>
        {depth !== '' && (
          <Field label="At most" name="pages" help="Only pages of the same site that its robots.txt allows.">
            <Select defaultValue="50">
              <option value="10">10 pages</option>
              <option value="50">50 pages</option>
              <option value="200">200 pages</option>
              <option value="500">500 pages</option>
            </Select>
          </Field>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isPending={add.isPending || crawl.isPending}>
            {depth === '' ? 'Add page' : 'Add pages'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
