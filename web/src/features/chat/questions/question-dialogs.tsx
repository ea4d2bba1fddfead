/** Shows what plugins ask: yes or no, a text, a secret, or one of several options. Closing a dialog declines. */
import { type FormEvent, useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordInput, Select, TextInput } from '#ui/form/inputs.tsx'
import { Dialog, DialogActions } from '#ui/overlay/dialog.tsx'
import { reachable } from '../reachable.ts'
import { type OpenQuestion, useOpenQuestions } from './open-questions.ts'

export function QuestionDialogs() {
  const [question] = useOpenQuestions()
  return question ? <QuestionDialog key={question.id} question={question} /> : null
}

const QuestionDialog = ({ question }: { question: OpenQuestion }) => (
  <Dialog title={question.title} {...hintOf(question)} isOpen isSticky onClose={() => question.answer(false)}>
    {question.isApproval && (
      <pre
        {...reachable}
        className="mb-2 max-h-60 overflow-auto rounded-control border bg-sunken px-3 py-2 font-mono text-sm"
      >
        {question.message}
      </pre>
    )}
    {question.kind === 'confirmation' ? <Confirmation question={question} /> : <Input question={question} />}
  </Dialog>
)

function hintOf({ message, isApproval }: OpenQuestion) {
  if (isApproval) return { hint: 'The model wants to run this tool with:' }
  return message === '' ? {} : { hint: <span className="whitespace-pre-wrap">{message}</span> }
}

const Confirmation = ({ question: { answer, isApproval } }: { question: OpenQuestion }) => (
  <DialogActions>
    <Button onClick={() => answer(false)}>{isApproval ? 'Decline' : 'Cancel'}</Button>
    <Button look="primary" onClick={() => answer(true)}>
      {isApproval ? 'Allow' : 'Confirm'}
    </Button>
  </DialogActions>
)

function Input({ question }: { question: OpenQuestion }) {
  const { kind, title, placeholder, options, answer } = question
  const [value, setValue] = useState(kind === 'select' ? startOf(question) : question.value)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    answer(value)
  }
  const field = {
    value,
    onChange: ({ target }: { target: { value: string } }) => setValue(target.value),
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      <Field label={placeholder || title} name="answer">
        {kind === 'password' && <PasswordInput {...field} autoComplete="off" />}
        {kind === 'text' && <TextInput {...field} autoComplete="off" placeholder={placeholder} />}
        {kind === 'select' && (
          <Select {...field}>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <DialogActions>
        <Button onClick={() => answer(false)}>Cancel</Button>
        <Button type="submit" look="primary">
          Submit
        </Button>
      </DialogActions>
    </form>
  )
}

/** A select always shows one option, so that is what it says from the start. */
const startOf = ({ value, options }: OpenQuestion): string =>
  options.some((option) => option.value === value) ? value : (options[0]?.value ?? '')
