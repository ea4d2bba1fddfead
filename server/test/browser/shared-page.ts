/**
 * A page that the tests of a file share, signed in as one person: the app is loaded once, and each test goes to its
 * screen by the app's own router, as a link would. A test that fails, or does what can't be undone, gives the page back.
 */
import { onTestFinished } from 'vitest'
import { atEnd } from '../harness/at-end.ts'
import { borrowFor, goTo, type Watched, watch } from './browser.ts'
import { type Profile, returnProfile, undoChanges } from './profiles.ts'

/** No screen has this address, so nothing of one test is there for the next one to find. */
const nowhereNear = (path: string) => (path.startsWith('/platform') ? '/platform/nowhere' : '/account/nowhere')

export const sharedPage = (origin: string, person: { token: string }) => {
  let profile: Profile | undefined
  const giveBack = async () => {
    const used = profile
    profile = undefined
    if (used) await returnProfile(used)
  }
  atEnd(giveBack)

  const leave = async (used: Profile, path: string, hasFailed: boolean) => {
    const isElsewhere = used.page.isClosed() || !used.page.url().startsWith(origin)
    if (hasFailed || used.isSpent || isElsewhere) return giveBack()
    await undoChanges(used)
    await goTo(used.page, nowhereNear(path))
    await used.page.getByRole('heading', { name: 'Page not found' }).waitFor()
  }

  return async (path: string): Promise<Watched> => {
    const isNew = profile === undefined
    profile ??= await borrowFor(origin, person)
    const used = profile
    onTestFinished(({ task }) => leave(used, path, task.result?.state === 'fail'))
    const watched = watch(used)
    if (isNew) await used.page.goto(origin + path)
    else await goTo(used.page, path)
    return watched
  }
}
