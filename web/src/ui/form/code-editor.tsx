/** A TypeScript editor. It is large, so load it when it is shown: `lazy(() => import(…))`. */
import { autocompletion, type CompletionSource } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { javascript, typescriptLanguage } from '@codemirror/lang-javascript'
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint'
import { Compartment, EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import { cx } from '#ui/class-names.ts'

/** The colours of code blocks in replies, so that both themes follow the app's. */
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: 'var(--seal-text)' },
  { tag: [tags.string, tags.regexp], color: 'var(--ok)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  { tag: tags.comment, color: 'var(--faint)', fontStyle: 'italic' },
  { tag: [tags.typeName, tags.className, tags.definition(tags.function(tags.variableName))], fontWeight: '600' },
])

const theme = EditorView.theme({
  '&': { backgroundColor: 'var(--surface)', color: 'var(--ink)', fontSize: '13px', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', fontFeatureSettings: '"calt" 0, "liga" 0', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '12px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--faint)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--ink) 4%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--seal) 22%, transparent)',
  },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--ink)', border: '1px solid var(--line)' },
})

interface CodeEditorProps {
  label: string
  value: string
  onChange: (value: string) => void
  /** Checks the source a moment after each change. */
  check?: (source: string) => Promise<{ problem: string | null; line: number | null }>
  /** Completions besides the names in the source itself. */
  suggest?: CompletionSource
  /** For forms that move the focus to a field by its name. */
  name?: string
  /** A problem found on saving is shown beside the editor; the form moves the focus here. */
  isInvalid?: boolean
  className?: string
}

type Check = NonNullable<CodeEditorProps['check']>

const restMs = 800

const validity = new Compartment()
const invalidMark = (isInvalid: boolean) => EditorView.contentAttributes.of({ 'aria-invalid': String(isInvalid) })

export function CodeEditor(props: CodeEditorProps) {
  const { label, value, onChange, check, suggest, name, isInvalid = false, className = 'h-[28rem]' } = props
  const parent = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const ports = useRef({ onChange, check })
  ports.current = { onChange, check }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once; its text is its own from then on
  useEffect(() => {
    if (!parent.current) return
    const own = new EditorView({
      parent: parent.current,
      state: EditorState.create({
        doc: value,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          highlightActiveLine(),
          indentUnit.of('  '),
          javascript({ typescript: true }),
          autocompletion(),
          suggest ? typescriptLanguage.data.of({ autocomplete: suggest }) : [],
          syntaxHighlighting(colours),
          check ? [lintGutter(), linter((editor) => diagnose(editor, ports.current.check), { delay: restMs })] : [],
          keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
          EditorView.contentAttributes.of({
            'aria-label': label,
            spellcheck: 'false',
            tabindex: '0',
            ...(name && { name }),
          }),
          validity.of(invalidMark(isInvalid)),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) ports.current.onChange(state.doc.toString())
          }),
          theme,
        ],
      }),
    })
    view.current = own
    return () => own.destroy()
  }, [label])

  // A file was imported, or an example was chosen.
  useEffect(() => {
    const own = view.current
    if (!own || own.state.doc.toString() === value) return
    own.dispatch({ changes: { from: 0, to: own.state.doc.length, insert: value } })
  }, [value])
  useEffect(() => {
    view.current?.dispatch({ effects: validity.reconfigure(invalidMark(isInvalid)) })
  }, [isInvalid])
  return <div ref={parent} className={cx('overflow-hidden rounded-control border', className)} />
}

async function diagnose({ state }: EditorView, check: Check | undefined): Promise<Diagnostic[]> {
  const source = state.doc.toString()
  if (source.trim() === '') return []
  // A failed check says nothing about the source; saving will.
  const found = await check?.(source).catch(() => undefined)
  if (!found || found.problem === null) return []
  const { from, to } = state.doc.line(Math.min(found.line ?? 1, state.doc.lines))
  return [{ from, to, severity: 'error', message: found.problem }]
}
