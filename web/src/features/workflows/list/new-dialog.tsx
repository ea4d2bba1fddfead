/** Creates a workflow: empty, from a template, or from a file. */
import type { Workflow, WorkflowTemplate } from '@chancery/contract/workflows/workflows.ts'
import { Upload } from 'lucide-react'
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react'
import { ApiError } from '#lib/problems/api-error.ts'
import { problemText } from '#lib/problems/problem-text.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { Dialog, DialogActions } from '#ui/overlay/dialog.tsx'
import { useCreateWorkflow, useTemplates } from './api.ts'
import { readWorkflowFile } from './read-file.ts'
import { TemplateChoice } from './template-choice.tsx'

interface NewDialogProps {
  isOpen: boolean
  onMade: (made: Workflow) => void
  onClose: () => void
}

export function NewWorkflowDialog({ isOpen, onMade, onClose }: NewDialogProps) {
  return (
    <Dialog
      title="New workflow"
      hint="Start from scratch, from a template, or import a file."
      isOpen={isOpen}
      onClose={onClose}
      isWide
    >
      <NewForm onMade={onMade} onClose={onClose} />
    </Dialog>
  )
}

function NewForm({ onMade, onClose }: Omit<NewDialogProps, 'isOpen'>) {
  const [template, setTemplate] = useState<WorkflowTemplate>()
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const templates = useTemplates(true)
  const create = useCreateWorkflow(onMade)
  const chosenName = name.trim() || template?.name || ''
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (chosenName === '') return setProblem('Enter a name.')
    create.mutate(
      template === undefined ? { kind: 'blank', name: chosenName } : { kind: 'template', name: chosenName, template },
    )
  }
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-5">
      <Field label="Name" name="name" problem={problem ?? (create.isError ? failureText(create.error) : undefined)}>
        <TextInput
          value={name}
          maxLength={200}
          autoComplete="off"
          placeholder={template?.name ?? 'For example: Order follow-up'}
          onChange={(event) => {
            setName(event.target.value)
            setProblem(undefined)
          }}
        />
      </Field>
      <TemplateChoice templates={templates} chosen={template} onChoose={setTemplate} />
      <DialogActions>
        <ImportButton onFile={(file) => create.mutate({ kind: 'file', file })} onProblem={setProblem} />
        <span className="flex-1 max-sm:hidden" />
        <Button className="max-sm:hidden" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" look="primary" isPending={create.isPending}>
          Create workflow
        </Button>
      </DialogActions>
    </form>
  )
}

/** For a rejected file, the first problem is shown. */
function failureText(error: Error): string {
  const [first] = error instanceof ApiError ? error.problems : []
  return first ? `There’s a problem with ${first.loc.slice(1).join('.')}: ${problemText(first.msg)}` : error.message
}

interface ImportButtonProps {
  onFile: (file: unknown) => void
  onProblem: (problem: string) => void
}

function ImportButton({ onFile, onProblem }: ImportButtonProps) {
  const inputRef = useRef<HTMLInputElement>(null)
  const onChange = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    const text = await file?.text()
    // Reset, so the same file can be chosen again after fixing it.
    target.value = ''
    if (text === undefined) return
    const read = readWorkflowFile(text)
    if ('problem' in read) onProblem(read.problem)
    else onFile(read.file)
  }
  return (
    <span className="relative">
      <input
        ref={inputRef}
        type="file"
        accept="application/json,.json"
        aria-label="Workflow file"
        onChange={(event) => void onChange(event)}
        className="sr-only"
        tabIndex={-1}
      />
      <Button icon={Upload} className="max-sm:w-full" onClick={() => inputRef.current?.click()}>
        Import file
      </Button>
    </span>
  )
}
