/** Asks the person whether an MCP client may use their tools. */
import { Link } from '@tanstack/react-router'
import { hasFieldProblems } from '#lib/problems/api-error.ts'
import { Button } from '#ui/button/button.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { declinedUrl, useAllow, useQuestion } from './api.ts'

export function ConsentPanel({ search }: { search: string }) {
  const question = useQuestion(search)
  const allow = useAllow(search)
  if (question.isPending) return <Panel title="Connect an application">Loading…</Panel>
  if (question.isError)
    return (
      <Panel title="Connect an application">
        <p role="alert">
          {hasFieldProblems(question.error)
            ? 'This link is incomplete. Start again in the application that you want to connect.'
            : question.error.message}
        </p>
      </Panel>
    )
  const { client_name: name, return_to: host } = question.data
  return (
    <Panel title={`Connect ${name}`}>
      <div className="flex flex-col gap-4">
        <p>
          {name} wants to use your tools here: search your chats and knowledge, start workflows and send documents, as
          you. Allow it only if you started this yourself. You will be sent to <strong>{host}</strong>.
        </p>
        <p className="text-soft text-sm">
          It gets an API key that works for nothing else. You can delete it at any time under{' '}
          <Link to="/account/api-keys" className="underline underline-offset-4">
            API keys
          </Link>
          .
        </p>
        {allow.error && <p role="alert">{allow.error.message}</p>}
        <div className="flex gap-3">
          <Button look="primary" isPending={allow.isPending} onClick={() => allow.mutate()}>
            Allow
          </Button>
          <Button onClick={() => location.assign(declinedUrl(search))}>Decline</Button>
        </div>
      </div>
    </Panel>
  )
}
