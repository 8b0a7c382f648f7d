type Words = readonly [string, ...string[]];

const words = (text: string) => text.split(' ') as unknown as Words;

export const NOUNS = words(
  'actuator adapter anchor antenna archive arm balance band battery beacon bearing bracket bridge buffer bus cable ' +
    'camera canal carrier channel chassis circuit clamp clock coil column command compass controller coupling crane ' +
    'current curve damper deck detector dial drive encoder engine filter flange flow frame gauge gear gimbal grid ' +
    'gripper harness hinge hull inverter joint junction kernel ladder latch layer lens lever link load lock magnet ' +
    'manifold marker mast matrix meter mirror module motor mount nozzle orbit oscillator packet panel pedal pivot ' +
    'plate port probe pulley pulse pump queue rail reactor receiver record register relay rotor rudder schedule ' +
    'sensor shaft shield signal socket spring station stator switch tank terminal thread torque tower track trail ' +
    'transmitter turbine valve vector vessel voltage wheel winch window wing wire',
);

export const ADJECTIVES = words(
  'adaptive aligned auxiliary balanced bounded calibrated central coarse coupled damped delayed distributed dry dual ' +
    'elastic external fine fixed floating forward fragile guarded heavy hollow hybrid idle inner isolated lateral ' +
    'layered light linear local loose lower magnetic manual mirrored movable narrow nominal outer parallel passive ' +
    'periodic portable precise primary quiet rapid redundant remote rigid rotary secondary sealed shallow shared ' +
    'silent slow soft solid sparse stable steep sturdy synchronous tapered thermal tight upper variable vertical wide',
);

export const VERBS = words(
  'adjusts aligns balances blocks calibrates carries charges checks cools couples delays drives empties feeds fills ' +
    'follows guards guides heats holds isolates joins leads lifts limits lowers measures moves opens pauses presses ' +
    'protects pulls pushes raises reads releases replaces resets rotates seals selects shields signals smooths starts ' +
    'steers stops stores supplies supports switches tests tightens tracks triggers turns watches',
);

export const OCCASIONS = words(
  'at-dawn during-maintenance after-a-restart before-each-survey under-full-load in-cold-weather on-slopes ' +
    'at-low-tide during-descent after-calibration while-docked in-shallow-water at-high-speed between-two-shifts',
);
