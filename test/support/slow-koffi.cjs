// koffi, as a thread finds it where the system takes a tenth of a second to open something.
const koffi = require('koffi');

const slowly =
  (call) =>
  (...words) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    return call(...words);
  };

exports.load = (library) => {
  const libc = koffi.load(library);
  return {
    func: (name, ...types) => (name === 'openat' ? slowly(libc.func(name, ...types)) : libc.func(name, ...types)),
  };
};
