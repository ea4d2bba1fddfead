/**
 * A form: reads its fields, validates them with the contract's schema, sends them, and shows each problem at its field.
 * A problem goes away when its field is changed. Inputs are uncontrolled, so a failed call never loses what was typed.
 */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { type Shape, schemaOf } from '#lib/http/shape.ts'
import { ApiError, unreachable } from '#lib/problems/api-error.ts'
import { errorOfIssues, type Problems, problemsOfError, problemsOfIssues } from '#lib/problems/field-problems.ts'

export type Fields = Record<string, string>

interface FormSettings<Body> {
  /** The body's schema in the contract. */
  schema: Shape<Body>
  /** Converts fields to the body, if they differ. */
  body?: (fields: Fields) => unknown
  send: (body: Body) => Promise<void>
  /** Error codes that belong to one field. */
  fieldOfCode?: Record<string, string>
}

export interface Form {
  problems: Problems
  failure: ApiError | undefined
  isPending: boolean
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
}

interface State {
  problems: Problems
  failure: ApiError | undefined
  /** The failure to show if the form has none of the fields that have problems. */
  unplaced?: ApiError
  isPending: boolean
}

const idle: State = { problems: {}, failure: undefined, isPending: false }

export const fieldsOf = (form: HTMLFormElement): Fields =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : '']))

/** False if the form highlights nothing. */
const focusFirstInvalid = (form: HTMLFormElement | null): boolean => {
  const first = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
  first?.focus()
  return first != null
}

const untouched: ReadonlySet<string> = new Set()

/** The names of the fields that were changed since `attempt`: what it found about them is out of date. */
function useTouched(form: RefObject<HTMLFormElement | null>, attempt: object | null): ReadonlySet<string> {
  const [touched, setTouched] = useState({ attempt, names: untouched })
  useEffect(() => {
    const note = ({ target }: Event) => {
      if (!(target instanceof Element) || !form.current?.contains(target)) return
      const name = target.getAttribute('name') ?? ''
      setTouched((before) => ({
        attempt,
        names: new Set(before.attempt === attempt ? [...before.names, name] : [name]),
      }))
    }
    // After React's own listeners: rendering before them would make React miss the change.
    document.addEventListener('input', note)
    return () => document.removeEventListener('input', note)
  }, [form, attempt])
  return touched.attempt === attempt ? touched.names : untouched
}

const without = (problems: Problems, names: ReadonlySet<string>): Problems =>
  Object.fromEntries(Object.entries(problems).filter(([name]) => !names.has(name)))

/**
 * The field problems of a test call that sends the form's values without saving them. The first one gets the focus; each
 * goes away when its field is changed.
 */
export function useTestProblems(error: Error | null, form: RefObject<HTMLFormElement | null>): Problems {
  const problems = useMemo(() => (error instanceof ApiError ? problemsOfError(error) : {}), [error])
  useEffect(() => {
    if (Object.keys(problems).length > 0) focusFirstInvalid(form.current)
  }, [problems, form])
  return without(problems, useTouched(form, error))
}

export function useForm<Body>({ schema, body, send, fieldOfCode }: FormSettings<Body>): Form {
  const sent = useRef<HTMLFormElement>(null)
  const [state, setState] = useState<State>(idle)
  // Uses the mutation cache, which notices when the session has expired.
  const sending = useMutation({ mutationFn: send })
  const touched = useTouched(sent, state)
  const problems = without(state.problems, touched)
  const failure = touched.size === 0 ? state.failure : undefined

  // After each attempt, not as problems go away: the focus stays where somebody types.
  // The inputs have aria-invalid only after the problems are rendered.
  useEffect(() => {
    if (Object.keys(state.problems).length === 0 || focusFirstInvalid(sent.current)) return
    setState(({ unplaced, ...now }) => (unplaced ? { ...now, failure: unplaced } : now))
  }, [state.problems])

  async function attempt(form: HTMLFormElement): Promise<State> {
    const fields = fieldsOf(form)
    try {
      const checked = (await schemaOf(schema)).safeParse(body === undefined ? fields : body(fields))
      if (!checked.success) {
        const { issues } = checked.error
        return { ...idle, problems: problemsOfIssues(issues), unplaced: errorOfIssues(issues) }
      }
      await sending.mutateAsync(checked.data)
      return idle
    } catch (error) {
      // If a chunk of the app fails to load after a deploy, show it as the server being unreachable.
      const failure = error instanceof ApiError ? error : unreachable()
      const problems = problemsOfError(failure, fieldOfCode)
      if (Object.keys(problems).length === 0) return { ...idle, failure }
      return { ...idle, problems, unplaced: failure }
    }
  }

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (state.isPending) return
    sent.current = event.currentTarget
    setState({ problems, failure: undefined, isPending: true })
    void attempt(event.currentTarget).then(setState)
  }

  return { problems, failure, isPending: state.isPending, onSubmit }
}
