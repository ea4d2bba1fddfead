import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { borrowFor, faintTextIn, hasBrowser, watch } from './browser.ts'
import { browserApp } from './browser-app.ts'
import { type Profile, returnProfile } from './profiles.ts'

const app = await browserApp()

describe.runIf(hasBrowser)('faint text', () => {
  let profile: Profile
  beforeAll(async () => {
    profile = await borrowFor(app.url, undefined)
    await profile.page.goto('about:blank')
  })
  afterAll(() => returnProfile(profile))

  it.each([
    ['is gray on white', '<p style="color: #777">Text</p>', ['“Text” has 4.48 of 4.5']],
    ['is fine a little darker', '<p style="color: #767676">Text</p>', []],
    ['may be lighter where it is large', '<p style="color: #949494; font-size: 24px">Text</p>', []],
    ['is large from bold 18.66 pixels', '<p style="color: #949494; font: 700 18.66px serif">Text</p>', []],
    ['is too light however large', '<h1 style="color: #969696">Text</h1>', ['“Text” has 2.96 of 3']],
    ['is read in any notation', '<p style="color: oklch(0.75 0 0)">Text</p>', ['“Text” has 2.22 of 4.5']],
    ['has a color with alpha', '<p style="color: #0007">Text</p>', ['“Text” has 3.54 of 4.5']],
    ['fades with an ancestor', '<div style="opacity: .5"><p>Text</p></div>', ['“Text” has 3.98 of 4.5']],
    [
      'lies on the grounds of all ancestors',
      '<div style="background: #000"><div style="background: #fff8"><p>Text</p></div><p style="color: #fff">Fine</p></div>',
      [],
    ],
    [
      'is white on white through a clear ground',
      '<p style="color: #fff; background: #fff0">Text</p>',
      ['“Text” has 1.00 of 4.5'],
    ],
    [
      'is the value of a field',
      '<input style="color: #999; background: #fff" value="Text">',
      ['“Text” has 2.85 of 4.5'],
    ],
    [
      'is a placeholder',
      '<style>::placeholder { color: #999 }</style><textarea style="background: #fff" placeholder="Text"></textarea>',
      ['“Text” has 2.85 of 4.5'],
    ],
    ['is not the value of a box', '<input type="checkbox" style="color: #eee">', []],
    ['is not what is disabled', '<button disabled style="color: #eee; background: #fff">Text</button>', []],
    [
      'is not the label of what is disabled',
      '<label style="color: #eee">Text <input type="checkbox" disabled></label>',
      [],
    ],
    ['is not what something else draws', '<textarea style="color: #0000">Text</textarea>', []],
    ['is not what nobody sees', '<p style="visibility: hidden; color: #eee">Text</p><p hidden>Text</p>', []],
    [
      'is not what only screen readers have',
      '<div style="clip-path: inset(50%)"><p style="color: #eee">Text</p></div>',
      [],
    ],
    ['is not what lies on a picture', '<div style="background-image: linear-gradient(red, blue)">Text</div>', []],
  ])('%s', async (_name, body, faint) => {
    await profile.page.setContent(`<body style="background: #fff; color: #000; font: 16px serif">${body}</body>`)
    expect(await faintTextIn(profile.page)).toEqual(faint)
  })

  it('is found by an inspection, and so is what axe knows', async () => {
    await profile.page.setContent('<main><h1 style="color: #969696">Text</h1><button></button></main>')
    const found = expect.arrayContaining(['button-name: button', '“Text” has 2.96 of 3'])
    await expect(watch(profile).inspect('faulty')).rejects.toMatchObject({ actual: found })
  })
})
