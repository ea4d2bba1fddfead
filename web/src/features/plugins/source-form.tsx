/** Writes a plugin: its name, its source and who may use it. */
import {
  type Plugin,
  PluginBody,
  type PluginKind,
  PluginPatch,
  type PluginWithContent,
} from '@chancery/contract/plugins/plugins.ts'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { z } from 'zod'
import { useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { FormFailure, Skeleton } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { type Approval, ApprovalField } from '#ui/form/approval-field.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { checkSource, useCreatePlugin, useUpdatePlugin } from './api.ts'
import type { Draft, Typed } from './plugin-source.ts'
import { suggest } from './suggestions.ts'

const CodeEditor = lazy(async () => ({ default: (await import('#ui/form/code-editor.tsx')).CodeEditor }))

export type GrantsField = (props: {
  value: Plugin['access_grants']
  onChange: (value: Plugin['access_grants']) => void
}) => ReactNode

const plain = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' } as const

/** The problem of a source stays where it is written. */
const fieldOfCode = { plugin_invalid: 'content', plugin_exists: 'id' }

interface NewPluginFormProps {
  draft: Draft
  onType: (change: Typed) => void
  onCreated: (id: string) => void
}

export function NewPluginForm({ draft, onType, onCreated }: NewPluginFormProps) {
  const [content, setContent] = useState(draft.content)
  const create = useCreatePlugin()
  const form = useForm({
    schema: PluginBody,
    body: ({ id = '', name = '' }) => ({ id: id.trim(), name, content }),
    fieldOfCode,
    send: async (body) => {
      // The source decides what it is, and so where it is created. What is wrong with it is said on saving.
      const { type } = await checkSource(body.content)
      const { id, name } = await create(type ?? 'tool', body)
      toast.done(`Plugin “${name}” created`)
      onCreated(id)
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Name" name="name" problem={form.problems.name} help="Shown to people who use it.">
          <TextInput
            autoComplete="off"
            defaultValue={draft.name}
            onChange={({ target }) => onType({ name: target.value })}
          />
        </Field>
        <Field label="ID" name="id" problem={form.problems.id} help="Used in API calls. It can’t be changed later.">
          <TextInput
            {...plain}
            defaultValue={draft.id}
            onChange={({ target }) => onType({ id: target.value })}
            className="font-mono"
          />
        </Field>
      </div>
      <SourceField value={content} onChange={setContent} problem={form.problems.content} />
      <FormFailure error={form.failure} />
      <Button type="submit" look="primary" isPending={form.isPending} className="self-start">
        Create plugin
      </Button>
    </form>
  )
}

interface SourceFormProps {
  plugin: z.infer<typeof PluginWithContent>
  grantsField: GrantsField
}

export function SourceForm({ plugin, grantsField }: SourceFormProps) {
  const [content, setContent] = useState(plugin.content)
  const [grants, setGrants] = useState(plugin.access_grants)
  const [approval, setApproval] = useState<Approval>({
    isNeeded: plugin.needs_approval,
    exempt: plugin.approval_exempt,
  })
  const update = useUpdatePlugin(plugin)
  const isTool = plugin.type === ('tool' satisfies PluginKind)
  const form = useForm({
    schema: PluginPatch,
    body: ({ name = '', description = '' }) => ({
      name,
      content,
      meta: { description },
      ...(isTool && {
        access_grants: grants,
        needs_approval: approval.isNeeded,
        approval_exempt: approval.exempt,
      }),
    }),
    fieldOfCode,
    send: async (body) => {
      const { name } = await update(body)
      toast.done(`Plugin “${name}” saved`)
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Name" name="name" problem={form.problems.name}>
          <TextInput autoComplete="off" defaultValue={plugin.name} />
        </Field>
        <Field label="Description" name="description" isOptional problem={form.problems.description}>
          <TextInput autoComplete="off" defaultValue={plugin.meta.description} />
        </Field>
      </div>
      <SourceField value={content} onChange={setContent} problem={form.problems.content} />
      {isTool && grantsField({ value: grants, onChange: setGrants })}
      {isTool && (
        <ApprovalField value={approval} onChange={setApproval} functions={plugin.specs.map(({ name }) => name)} />
      )}
      <FormFailure error={form.failure} />
      <Button type="submit" look="primary" isPending={form.isPending} className="self-start">
        Save
      </Button>
    </form>
  )
}

interface SourceFieldProps {
  value: string
  onChange: (value: string) => void
  problem: string | undefined
}

const SourceField = ({ value, onChange, problem }: SourceFieldProps) => (
  <div className="flex flex-col gap-1.5">
    <p className="font-medium text-sm">Source</p>
    <Suspense fallback={<Skeleton className="h-[28rem] w-full rounded-control" />}>
      <CodeEditor
        label="Source"
        value={value}
        onChange={onChange}
        check={checkSource}
        suggest={suggest}
        isInvalid={problem !== undefined}
      />
    </Suspense>
    {problem === undefined ? (
      <p className="text-faint text-sm">
        One TypeScript or JavaScript file. Press Escape, then Tab to leave the editor.
      </p>
    ) : (
      <p role="alert" className="text-bad text-sm">
        {problem}
      </p>
    )}
  </div>
)
