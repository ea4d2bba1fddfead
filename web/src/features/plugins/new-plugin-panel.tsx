/** A new plugin: from an example, from a file, or from a short beginning. */
import { Upload } from 'lucide-react'
import { type ChangeEvent, useState } from 'react'
import { buttonLook } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { BareSelect } from '#ui/form/inputs.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { useExamples } from './api.ts'
import { blank, draftOf, keepTyped, type Typed } from './plugin-source.ts'
import { NewPluginForm } from './source-form.tsx'

const maxBytes = 400_000

export function NewPluginPanel({ onCreated }: { onCreated: (id: string) => void }) {
  const { data: examples = [] } = useExamples()
  const [start, setStart] = useState({ key: 'blank', example: '', draft: blank })
  const [typed, setTyped] = useState<Typed>({})
  const take = (name: string, content: string, example = '') =>
    setStart({ key: `${name} ${Date.now()}`, example, draft: keepTyped(draftOf(name, content), typed) })
  const onFile = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0]
    if (!file) return
    if (file.size > maxBytes)
      toast.failed(new Error('The file is too large. A plugin can have up to 400,000 characters.'))
    else take(file.name, await file.text())
    // The same file can be chosen again after a change.
    target.value = ''
  }
  const onExample = (id: string) => {
    const example = examples.find((one) => one.id === id)
    if (example) take(example.id, example.content, example.id)
    else setStart({ key: 'blank', example: '', draft: keepTyped(blank, typed) })
  }
  const action = (
    <div className="flex flex-wrap gap-2">
      <BareSelect aria-label="Start from" value={start.example} onChange={({ target }) => onExample(target.value)}>
        <option value="">Start from a short tool</option>
        {examples.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </BareSelect>
      <label
        className={`${buttonLook('plain', 'large')} cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-ink`}
      >
        <Upload aria-hidden className="size-4" />
        Import file
        <input type="file" accept=".ts,.js,.mts,.mjs" className="sr-only" onChange={(event) => void onFile(event)} />
      </label>
    </div>
  )
  return (
    <Panel title="New plugin" hint="Export a class named Tools, Filter, Pipe or Action." action={action}>
      <NewPluginForm
        key={start.key}
        draft={start.draft}
        onType={(change) => setTyped({ ...typed, ...change })}
        onCreated={onCreated}
      />
    </Panel>
  )
}
