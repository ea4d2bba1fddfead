/** The message of an approval: paragraphs of text, or a JSON value if that is what the template produced. */
import { JsonView } from '#ui/values/json-view.tsx'
import { readMessage } from './read-message.ts'

export function Message({ text }: { text: string }) {
  const message = readMessage(text)
  if (message.kind === 'value')
    return (
      // A template may insert a whole event: what to decide, and the buttons, stay on the first screen.
      <div className="max-h-[max(9rem,26dvh)] max-sm:max-h-36 overflow-y-auto">
        <JsonView label="Message" value={message.value} />
      </div>
    )
  return (
    <div className="flex max-w-prose flex-col gap-3 text-md leading-7">
      {message.paragraphs.map((paragraph, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the paragraphs of one text never reorder
        <p key={index} className="whitespace-pre-wrap [overflow-wrap:anywhere]">
          {paragraph}
        </p>
      ))}
    </div>
  )
}
