/** The viewer's voice, and the language they dictate in. Empty fields use the platform's values. */
import { AudioPreferencesBody } from '@chancery/contract/files/audio.ts'
import { useAbilities, useSavePreferences } from '#data/speech-abilities.ts'
import { useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { ErrorPanel, FormFailure, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { Select, TextInput } from '#ui/form/inputs.tsx'
import { Panel } from '#ui/page/layout.tsx'

const speeds = ['0.75', '1', '1.25', '1.5', '2']

const orNull = (text = '') => (text.trim() === '' ? null : text.trim())

export function SpeechPanel() {
  const abilities = useAbilities()
  return (
    <Panel title="Speech" hint="For dictation, reading aloud and voice mode in chats.">
      {abilities.isPending && (
        <Loading label="Loading">
          <Skeleton className="h-24" />
        </Loading>
      )}
      {abilities.isError && <ErrorPanel error={abilities.error} onRetry={abilities.refetch} />}
      {abilities.isSuccess && <SpeechForm {...abilities.data} />}
    </Panel>
  )
}

function SpeechForm({ canTranscribe, canSpeak, preferences }: NonNullable<ReturnType<typeof useAbilities>['data']>) {
  const save = useSavePreferences()
  const form = useForm({
    schema: AudioPreferencesBody,
    body: ({ voice, speed = '', language }) => ({
      ...(canSpeak && { voice: orNull(voice) }),
      speed: speed === '' ? null : Number(speed),
      language: orNull(language)?.toLowerCase() ?? null,
    }),
    send: async (body) => {
      await save(body)
      toast.done('Saved')
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <p className="text-soft">
        Speech is recognized by {canTranscribe ? 'the server' : 'your browser'} and spoken by{' '}
        {canSpeak ? 'the server' : 'your browser'}.
      </p>
      <div className="grid gap-5 sm:grid-cols-3">
        {canSpeak && (
          <Field label="Voice" name="voice" isOptional problem={form.problems.voice} help="A voice of the engine.">
            <TextInput defaultValue={preferences.voice ?? ''} autoComplete="off" spellCheck={false} />
          </Field>
        )}
        <Field label="Speed" name="speed" problem={form.problems.speed}>
          <Select defaultValue={preferences.speed === null ? '' : String(preferences.speed)}>
            <option value="">Default</option>
            {speeds.map((speed) => (
              <option key={speed} value={speed}>
                {speed}×
              </option>
            ))}
          </Select>
        </Field>
        <Field
          label="Language"
          name="language"
          isOptional
          problem={form.problems.language}
          help="Two letters, such as en or de."
        >
          <TextInput defaultValue={preferences.language ?? ''} maxLength={2} autoComplete="off" spellCheck={false} />
        </Field>
      </div>
      <FormFailure error={form.failure} />
      <div>
        <Button type="submit" look="primary" isPending={form.isPending}>
          Save
        </Button>
      </div>
    </form>
  )
}
