// node_modules/preact/dist/preact.mjs
var n;
var t;
var r;
var u;
var i;
var f;
var o;
var e;
var l;
var c;
var a;
var s;
var h = /* @__PURE__ */ Symbol.for("pv");
var p = {};
var y = [];
var v = /^m(i|n|o|s|text|space)$/;
var w = Array.isArray;
var d = y.slice;
var _ = Object.assign;
function g(n2) {
  n2 && n2.parentNode && n2.remove();
}
function m(r3, u3, i3, f4, o4) {
  var e3 = { type: r3, props: u3, key: i3, ref: f4, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: h, __v: o4 || ++t, __i: -1, __u: 0 };
  return !o4 && n.vnode && n.vnode(e3), e3;
}
function $(n2) {
  return n2.children;
}
function x(n2, t3) {
  this.props = n2, this.context = t3, this.__g = 0;
}
function S(n2, t3) {
  if (null == t3) return n2.__ && S(n2.__, n2.__i + 1);
  for (var r3; t3 < n2.__k.length; t3++) if ((r3 = n2.__k[t3]) && r3.__e) return r3.__e;
  return "function" != typeof n2.type || n2.props.__P ? null : S(n2);
}
function C(t3) {
  var r3, u3 = t3.__v, i3 = u3.__e, f4 = [], o4 = [], e3 = t3.__P;
  e3 && ((r3 = _({ constructor: h }, u3)).__v = u3.__v + 1, n.vnode && n.vnode(r3), z(e3, r3, u3, t3.__n, e3.namespaceURI, 32 & u3.__u ? [i3] : null, f4, i3 || S(u3), 32 & u3.__u, o4), r3.__v = u3.__v, r3.__.__k[r3.__i] = r3, E(f4, r3, o4), u3.__ = u3.__e = null, r3.__e != i3 && j(r3));
}
function j(n2) {
  if ((n2 = n2.__) && n2.__c && !n2.props.__P) return n2.__e = null, n2.__k.some(function(t3) {
    return t3 && (n2.__e = t3.__e);
  }), j(n2);
}
function L(t3) {
  (8 & t3.__g || (t3.__g |= 8, u.push(t3), f++)) && i == n.debounceRendering || ((i = n.debounceRendering) || queueMicrotask)(H);
}
function H() {
  try {
    for (var n2, t3 = 1; u.length; ) u.length > t3 && u.sort(o), n2 = u.shift(), t3 = u.length, 8 & n2.__g && C(n2);
  } finally {
    (f = u.length) && (i || queueMicrotask)(H);
  }
}
function I(n2, t3, r3, u3, i3, f4, o4, e3, l3, c3, a4) {
  var s3, h3, v3, w3, d3, _3, g3 = u3.__k || y, k2 = t3.length;
  for (l3 = q(r3, t3, g3, l3, k2), s3 = 0; s3 < k2; s3++) null != (v3 = r3.__k[s3]) && (h3 = ~v3.__i && g3[v3.__i] || p, v3.__i = s3, _3 = z(n2, v3, h3, i3, f4, o4, e3, l3, c3, a4), w3 = v3.__e, (h3.ref != v3.ref || 8 & h3.__u) && (h3.ref && G(h3.ref, null, v3, h3), v3.ref && a4.push(v3.ref, v3.__c || w3, v3)), d3 = d3 || w3, 4 & v3.__u ? (l3 = A(v3, l3, n2, !h3.__v), h3.__e && (h3.__e = null)) : "function" == typeof v3.type && void 0 !== _3 ? l3 = _3 : w3 && (l3 = w3.nextSibling), v3.__u &= -21);
  return r3.__e = d3, l3;
}
function q(n2, t3, r3, u3, i3) {
  var f4, o4, e3, l3, c3, a4, s3, p3, y3, v3 = r3.length, d3 = v3, _3 = 0, g3 = 0, k2 = n2.__k = Array(i3);
  for (f4 = 0; f4 < i3; f4++) null != (o4 = t3[f4]) && "boolean" != typeof o4 && "function" != typeof o4 ? ("object" != typeof o4 || o4.constructor === String ? o4 = k2[f4] = m(null, o4) : w(o4) ? o4 = k2[f4] = m($, { children: o4 }) : o4.constructor === h && o4.__b ? o4 = k2[f4] = m(o4.type, o4.props, o4.key, o4.ref, o4.__v) : k2[f4] = o4, l3 = f4 + _3, o4.__ = n2, o4.__b = n2.__b + 1, e3 = null, ~(c3 = o4.__i = P(o4, r3, l3, d3)) && (d3--, (e3 = r3[c3]) && (e3.__u |= 2)), e3 && e3.__v ? (o4.__u |= 16, c3 == l3 - 1 ? _3-- : c3 == l3 + 1 ? _3++ : c3 != l3 && (c3 > l3 ? _3-- : _3++, g3 = 1)) : (~c3 || (i3 > v3 ? _3-- : i3 < v3 && _3++), "function" != typeof o4.type && (o4.__u |= 4))) : k2[f4] = null;
  if (g3) {
    for (a4 = [], s3 = [], f4 = 0; f4 < i3; f4++) if ((o4 = k2[f4]) && 16 & o4.__u) {
      for (_3 = 0, p3 = a4.length; _3 < p3; ) a4[y3 = _3 + p3 >> 1] < o4.__i ? _3 = y3 + 1 : p3 = y3;
      a4[_3] = o4.__i, s3[f4] = _3 + 1;
    }
    for (_3 = a4.length; f4--; ) s3[f4] && (s3[f4] == _3 ? _3-- : k2[f4].__u |= 4);
  }
  if (d3) for (f4 = 0; f4 < v3; f4++) !(e3 = r3[f4]) || 2 & e3.__u || (e3.__e == u3 && (u3 = S(e3)), J(e3, e3));
  return u3;
}
function A(n2, t3, r3, u3) {
  var i3, f4, o4, e3;
  if ("function" == typeof n2.type) {
    if (n2.props.__P) return t3;
    if (i3 = n2.__k) for (f4 = 0; f4 < i3.length; f4++) i3[f4] && (i3[f4].__ = n2, t3 = A(i3[f4], t3, r3, false));
    return t3;
  }
  for (t3 && !t3.parentNode && (t3 = S(n2)) && !t3.parentNode && (t3 = null), o4 = n2.__e, e3 = t3; e3 && 8 == e3.nodeType; ) e3 = e3.nextSibling;
  for (o4 != e3 && (!u3 && r3.moveBefore && o4.parentNode ? r3.moveBefore(o4, t3) : r3.insertBefore(o4, t3 || null)), t3 = o4; (t3 = t3 && t3.nextSibling) && 8 == t3.nodeType && !t3.data.startsWith("$s"); ) ;
  return t3;
}
function P(n2, t3, r3, u3) {
  var i3, f4 = n2.key, o4 = n2.type, e3 = t3[r3], l3 = e3 && !(2 & e3.__u);
  if (null === e3 && null == f4 || l3 && f4 == e3.key && o4 == e3.type) return r3;
  if (u3 > (l3 ? 1 : 0)) {
    for (i3 = r3 - 1; i3 >= 0; i3--) if ((e3 = t3[i3]) && !(2 & e3.__u) && f4 == e3.key && o4 == e3.type) return i3;
    for (i3 = r3 + 1; i3 < t3.length; i3++) if ((e3 = t3[i3]) && !(2 & e3.__u) && f4 == e3.key && o4 == e3.type) return i3;
  }
  return -1;
}
function T(n2, t3, r3) {
  null == r3 && (r3 = ""), "-" == t3[0] ? n2.setProperty(t3, r3) : n2[t3] = r3;
}
function N(n2, t3, r3, u3, i3) {
  var f4, o4;
  if ("style" == t3) if ("string" == typeof r3) n2.style.cssText = r3;
  else {
    if ("string" == typeof u3 && (n2.style.cssText = u3 = ""), u3) for (t3 in u3) r3 && t3 in r3 || T(n2.style, t3);
    if (r3) for (t3 in r3) u3 && r3[t3] == u3[t3] || T(n2.style, t3, r3[t3]);
  }
  else if ("o" == t3[0] && "n" == t3[1]) "function" != typeof r3 && (r3 = null), "function" != typeof u3 && (u3 = null), (n2.__e || (n2.__e = {}))[t3] = r3, r3 && u3 || (o4 = a[t3] || (a[t3] = V(t3)), (n2.__a || (n2.__a = {}))[t3] = c, f4 = t3 != (t3 = t3.replace(l, "$1")), (t3 = t3.slice(2))[0] < "a" && (t3 = t3.toLowerCase()), r3 ? n2.addEventListener(t3, o4, f4) : n2.removeEventListener(t3, o4, f4));
  else {
    if ("http://www.w3.org/2000/svg" == i3) t3 = t3.replace(/xlink(H|:h)/, "h").replace(/sName$/, "s");
    else if ("width" != t3 && "height" != t3 && "href" != t3 && "list" != t3 && "form" != t3 && "tabIndex" != t3 && "download" != t3 && "rowSpan" != t3 && "colSpan" != t3 && "role" != t3 && "popover" != t3 && t3 in n2) try {
      return void (n2[t3] = null == r3 ? "" : r3);
    } catch (n3) {
    }
    if ("function" == typeof r3) return;
    null == r3 || false === r3 && "-" != t3[4] ? n2.removeAttribute(t3) : n2.setAttribute(t3, "popover" == t3 && 1 == r3 ? "" : r3);
  }
}
function V(t3) {
  return function(r3) {
    var u3 = this.__e;
    if (u3) {
      if (u3 = u3[t3], null == r3[e]) r3[e] = c++;
      else if (r3[e] < this.__a[t3]) return;
      return u3(n.event ? n.event(r3) : r3);
    }
  };
}
function z(t3, r3, u3, i3, f4, o4, e3, l3, c3, a4) {
  var s3, p3, v3, d3, k2, b2, m3, M, C3, j2, L2, H3, q2, A3, O, P3, T3, N2, V2 = r3.type;
  if (r3.constructor !== h) return null;
  128 & u3.__u && (c3 = 32 & u3.__u, s3 = u3.__c.__z) && (r3.__u |= c3, p3 = o4 = [], 8 == s3.nodeType ? l3 = B(s3, o4) : o4.push(s3), l3 = o4[0] || l3), (s3 = n.__b) && s3(r3);
  n: if ("function" == typeof V2) {
    v3 = e3.length;
    try {
      if (M = r3.props, C3 = (s3 = V2.prototype) && s3.render, j2 = (s3 = V2.contextType) && i3[s3.__c], L2 = s3 ? j2 ? j2.props.value : s3.__ : i3, (d3 = u3.__c) ? (r3.__c = d3, 2 & d3.__g && (d3.__g |= 1)) : (C3 ? r3.__c = d3 = new V2(M, L2) : (r3.__c = d3 = new x(M, L2), d3.constructor = V2, d3.render = K), j2 && j2.sub(d3), d3.state || (d3.state = {}), d3.__n = i3, d3.__g |= 8, d3.__h = [], d3.__k = []), C3 && (d3.__s || (d3.__s = d3.state), V2.getDerivedStateFromProps && (d3.__s == d3.state && (d3.__s = _({}, d3.__s)), _(d3.__s, V2.getDerivedStateFromProps(M, d3.__s)))), k2 = d3.props, b2 = d3.state, d3.__v = r3, u3.__c) {
        if (M !== k2 && C3 && !V2.getDerivedStateFromProps && d3.componentWillReceiveProps && d3.componentWillReceiveProps(M, L2), r3.__v == u3.__v && !(8 & d3.__g) || !(4 & d3.__g) && d3.shouldComponentUpdate && false === d3.shouldComponentUpdate(M, d3.__s, L2)) {
          r3.__v != u3.__v && (d3.props = M, d3.state = d3.__s, d3.__g &= -9), r3.__e = u3.__e, r3.__k = u3.__k, r3.__k.some(function(n2) {
            n2 && (n2.__ = r3);
          }), y.push.apply(d3.__h, d3.__k), d3.__k = [], d3.__h.length && e3.push(d3), l3 = S(u3);
          break n;
        }
        d3.componentWillUpdate && d3.componentWillUpdate(M, d3.__s, L2), C3 && d3.componentDidUpdate && d3.__h.push(function() {
          d3.componentDidUpdate(k2, b2, m3);
        });
      } else C3 && !V2.getDerivedStateFromProps && d3.componentWillMount && d3.componentWillMount(), C3 && d3.componentDidMount && d3.__h.push(d3.componentDidMount);
      d3.context = L2, d3.props = M, d3.__P = t3, d3.__g &= -5, H3 = n.__r, q2 = C3 ? 25 : 0;
      do {
        d3.__g &= -9, H3 && H3(r3), s3 = d3.render(d3.props, d3.state = d3.__s, d3.context);
      } while (8 & d3.__g && ++q2 < 25);
      C3 && (y.push.apply(d3.__h, d3.__k), d3.__k = []), d3.state = d3.__s, d3.getChildContext && (i3 = _({}, i3, d3.getChildContext())), C3 && u3.__c && d3.getSnapshotBeforeUpdate && (m3 = d3.getSnapshotBeforeUpdate(k2, b2)), A3 = s3 && s3.type === $ && null == s3.key ? s3.props.children : s3, M.__P && (s3 = l3, f4 = (t3 = M.__P).namespaceURI, c3 = o4 = null, u3.props && u3.props.__P != t3 && (u3.__k.some(function(n2) {
        n2 && J(n2, n2);
      }), u3.__k = null), l3 = u3.__k ? S(u3, 0) : null), l3 = I(t3, w(A3) ? A3 : [A3], r3, u3, i3, f4, o4, e3, l3, c3, a4), M.__P && (r3.__e = null, l3 = s3), r3.__u &= -161, p3 && p3.some(g), d3.__h.length && e3.push(d3), 1 & d3.__g && (d3.__g &= -4);
    } catch (t4) {
      if (e3.length = v3, r3.__v = null, c3 || o4) if (t4 && t4.then) {
        if (r3.__u |= 128 | c3, o4) {
          for (~(T3 = o4.indexOf(l3 || void 0)) || (T3 = o4.length); (N2 = o4[T3 - 1]) && 8 == N2.nodeType; ) T3--;
          for (; T3 < o4.length; T3++) if (N2 = o4[T3]) if (o4[T3] = null, O) {
            if (N2 == P3) break;
          } else {
            if (8 != N2.nodeType) break;
            N2.data.startsWith("$s") && (P3 = B(O = N2));
          }
        }
        if (!O) {
          for (; l3 && 8 == l3.nodeType && l3.nextSibling; ) l3 = l3.nextSibling;
          O = l3;
        }
        (s3 = B(O = r3.__c.__z || (r3.__c.__z = O))) ? (r3.__e = O, l3 = s3) : r3.__e = l3, l3 = l3 && l3.nextSibling;
      } else o4 && o4.some(g);
      else r3.__e = u3.__e;
      r3.__k || (r3.__k = u3.__k || []), t4 && t4.then || D(r3), n.__e(t4, r3, u3);
    }
  } else l3 = r3.__e = F(u3.__e, r3, u3, i3, f4, o4, e3, c3, a4, t3);
  return (s3 = n.diffed) && s3(r3), l3;
}
function B(n2, t3) {
  if (n2 && 8 == n2.nodeType && n2.data.startsWith("$s")) for (var r3 = 1; n2 = n2.nextSibling; ) {
    if (8 == n2.nodeType) {
      if (n2.data.startsWith("$s")) r3++;
      else if (n2.data.startsWith("/$s") && !--r3) return n2;
    }
    t3 && t3.push(n2);
  }
}
function D(n2) {
  n2 && (n2.__c && (n2.__c.__g |= 4), n2.__k && n2.__k.some(D));
}
function E(t3, r3, u3) {
  for (var i3 = 0; i3 < u3.length; ) G(u3[i3++], u3[i3++], u3[i3++]);
  n.__c && n.__c(r3, t3), t3.some(function(r4) {
    try {
      t3 = r4.__h, r4.__h = [], t3.some(function(n2) {
        n2.call(r4);
      });
    } catch (t4) {
      n.__e(t4, r4.__v);
    }
  });
}
function F(t3, r3, u3, i3, f4, o4, e3, l3, c3, a4) {
  var s3, h3, y3, _3, k2, b2, m3, M, $2 = u3.props || p, x2 = r3.props, C3 = r3.type;
  if ("svg" == C3 ? f4 = "http://www.w3.org/2000/svg" : "math" == C3 ? f4 = "http://www.w3.org/1998/Math/MathML" : f4 || (f4 = "http://www.w3.org/1999/xhtml"), o4) {
    for (s3 = 0; s3 < o4.length; s3++) if ((k2 = o4[s3]) && (C3 ? k2.localName == C3 : 3 == k2.nodeType)) {
      t3 = k2, o4[s3] = null;
      break;
    }
  }
  if (!t3) {
    if (M = a4.ownerDocument || document, !C3) return M.createTextNode(x2);
    t3 = M.createElementNS(f4, C3, x2.is ? x2 : a4), l3 && (n.__m && n.__m(r3, o4), l3 = false), o4 = null;
  }
  if (C3) {
    if (a4 = "template" == C3 && t3.content || t3, o4 = "textarea" == C3 && null != x2.defaultValue ? null : o4 && d.call(a4.childNodes), !l3 && o4) for ($2 = {}, s3 = 0; s3 < t3.attributes.length; s3++) $2[(k2 = t3.attributes[s3]).name] = k2.value;
    for (s3 in $2) k2 = $2[s3], "dangerouslySetInnerHTML" == s3 ? y3 = k2 : "children" == s3 || s3 in x2 || "value" == s3 && "defaultValue" in x2 || "checked" == s3 && "defaultChecked" in x2 || N(t3, s3, null, k2, f4);
    for (s3 in x2) k2 = x2[s3], "children" == s3 ? _3 = k2 : "dangerouslySetInnerHTML" == s3 ? h3 = k2 : "value" == s3 ? b2 = k2 : "checked" == s3 ? m3 = k2 : l3 && "function" != typeof k2 || $2[s3] === k2 || N(t3, s3, k2, $2[s3], f4);
    h3 ? (l3 || y3 && (h3.__html == y3.__html || h3.__html == t3.innerHTML) || (t3.innerHTML = h3.__html), r3.__k = []) : (y3 && (t3.textContent = ""), ("foreignObject" == C3 || "http://www.w3.org/1998/Math/MathML" == f4 && v.test(C3)) && (f4 = "http://www.w3.org/1999/xhtml"), I(a4, w(_3) ? _3 : [_3], r3, u3, i3, f4, o4, e3, o4 ? o4[0] : u3.__k && S(u3, 0), l3, c3), o4 && o4.some(g)), l3 && "textarea" != C3 || (s3 = "value", "progress" == C3 && null == b2 ? t3.removeAttribute(s3) : null == b2 || b2 === t3[s3] && ("progress" != C3 || b2) || N(t3, s3, b2, $2[s3], f4), s3 = "checked", null != m3 && m3 != t3[s3] && N(t3, s3, m3, $2[s3], f4));
  } else $2 === x2 || l3 && t3.data == x2 || (t3.data = x2);
  return t3;
}
function G(t3, r3, u3, i3) {
  try {
    "function" == typeof t3 ? r3 ? r3.__x = t3(r3) || 1 : i3 && (i3 = i3.__c || i3.__e) && (r3 = i3.__x) && (i3.__x = null, "function" == typeof r3 ? r3() : t3(null)) : t3.current = r3;
  } catch (t4) {
    n.__e(t4, u3);
  }
}
function J(t3, r3, u3) {
  var i3, f4, o4, e3;
  if (n.unmount && n.unmount(t3), !(i3 = t3.ref) || i3.current && i3.current != t3.__e || G(i3, null, r3, t3), i3 = t3.__c) {
    if (i3.componentWillUnmount) try {
      i3.componentWillUnmount();
    } catch (t4) {
      n.__e(t4, r3);
    }
    i3.__P = i3.__n = null;
  }
  if (i3 = t3.__k) for (e3 = 0; e3 < i3.length; e3++) i3[e3] && J(i3[e3], r3, "function" != typeof t3.type || u3 && !t3.props.__P);
  !u3 && (i3 = t3.__c) && (i3 = i3.__z) && (f4 = B(i3, o4 = [])) && (i3 == t3.__e && o4.some(g), g(f4), g(i3)), u3 || g(t3.__e), t3.__e = t3.__c = t3.__ = null;
}
function K(n2, t3, r3) {
  return this.constructor(n2, r3);
}
function Q(t3, r3) {
  var u3, i3, f4, o4;
  n.__ && n.__(t3, r3), 9 == r3.nodeType && (r3 = r3.documentElement), i3 = (u3 = t3 && 32 & t3.__u) ? null : r3.__k, r3.__k = m($, { children: [t3] }), f4 = [], o4 = [], z(r3, r3.__k, i3 || p, p, r3.namespaceURI, i3 ? null : r3.firstChild ? d.call(r3.childNodes) : null, f4, i3 ? i3.__e : r3.firstChild, u3, o4), E(f4, r3.__k, o4), r3.__k.props.children = null;
}
n = { __e: function(n2, t3, r3, u3) {
  for (var i3, o4, e3; t3 = t3.__; ) if ((i3 = t3.__c) && !(1 & i3.__g)) {
    i3.__g |= 4;
    try {
      if ((e3 = (o4 = i3.constructor) && o4.getDerivedStateFromError) && i3.setState(o4.getDerivedStateFromError(n2)), i3.componentDidCatch && (i3.componentDidCatch(n2, u3 || {}), e3 = 1), e3 && 8 & i3.__g) return void (i3.__g |= 2);
    } catch (t4) {
      n2 = t4;
    }
  }
  throw f = 0, n2;
} }, t = 0, r = function(n2) {
  return null != n2 && n2.constructor === h;
}, x.prototype.setState = function(n2, t3) {
  var r3 = this.__s;
  r3 && r3 != this.state || (r3 = this.__s = _({}, this.state)), "function" == typeof n2 && (n2 = n2(_({}, r3), this.props)), n2 && (_(r3, n2), this.__v && (t3 && this.__k.push(t3), L(this)));
}, x.prototype.forceUpdate = function(n2) {
  this.__v && (this.__g |= 4, n2 && this.__h.push(n2), L(this));
}, x.prototype.render = $, u = [], f = 0, o = function(n2, t3) {
  return n2.__v.__b - t3.__v.__b;
}, e = /* @__PURE__ */ Symbol(), l = /(PointerCapture)$|Capture$/i, c = 0, a = {}, s = 0;

// src/base.ts
var CONSOLE = new URL(".", document.baseURI);
var ROOT = new URL("..", CONSOLE);
var FRAMERS = document.querySelector('meta[name="orgmem-framers"]')?.content.split(" ").filter(Boolean);
var isEmbedded = FRAMERS !== void 0;
function ofServer(path) {
  return new URL(path.replace(/^\//, ""), ROOT).href;
}

// src/api/http.ts
var Failure = class extends Error {
  /** The HTTP status; 0 when no answer came. */
  status;
  problem;
  /** How long the server asks to wait, in seconds. */
  retryAfter;
  constructor(status, problem, retryAfter) {
    super(problem.detail ?? "the server did not answer");
    this.status = status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
  /** Whether asking again later may help. */
  get isPassing() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
  /** A member that this kind of problem adds. */
  more(name) {
    return this.problem[name];
  }
};
var holder;
function askAs(someone) {
  holder = someone;
}
var onSessionEnd = () => {
};
function whenSessionEnds(listener) {
  onSessionEnd = listener;
}
async function api(path, asking = {}) {
  const response = await sent(path, asking);
  const text2 = await response.text();
  if (!response.ok) throw refused(response, text2);
  return {
    data: text2 === "" ? void 0 : JSON.parse(text2),
    etag: response.headers.get("ETag") ?? void 0,
    next: nextOf(response.headers.get("Link"))
  };
}
async function sent(path, asking) {
  const headers = { Accept: "application/json" };
  const method = asking.method ?? "GET";
  if (method !== "GET") headers["X-Orgmem-Console"] = "1";
  if (asking.ifMatch !== void 0) headers["If-Match"] = asking.ifMatch;
  const init = { method, credentials: "same-origin" };
  if (asking.body !== void 0) {
    headers["Content-Type"] = asking.type ?? "application/json";
    init.body = asking.type === void 0 ? JSON.stringify(asking.body) : String(asking.body);
  }
  if (asking.signal) init.signal = asking.signal;
  return answered(path, headers, init);
}
async function* heard(path, signal) {
  const headers = { Accept: "text/event-stream" };
  const response = await answered(path, headers, { credentials: "same-origin", cache: "no-store", signal });
  if (!response.ok) throw refused(response, await response.text());
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const next = () => reader?.read().catch((error) => cutOff(signal, error));
  for (let piece = await next(); piece && !piece.done; piece = await next()) yield piece.value;
}
function cutOff(signal, error) {
  if (signal?.aborted) throw error;
  throw new Failure(0, {});
}
async function answered(path, headers, init) {
  try {
    if (!holder) return await fetch(ofServer(path), { ...init, headers });
    for (; ; ) {
      const token = await holder.token(init.signal ?? void 0);
      const own = { ...headers, Authorization: `Bearer ${token}` };
      const response = await fetch(ofServer(path), { ...init, headers: own, credentials: "omit" });
      if (response.status !== 401) {
        holder.accepted(token);
        return response;
      }
      holder.refused(token, problemOf(await response.text()));
    }
  } catch (error) {
    return cutOff(init.signal, error);
  }
}
function refused(response, text2) {
  const problem = problemOf(text2);
  if (response.status === 401) onSessionEnd();
  const wait = Number(response.headers.get("Retry-After"));
  return new Failure(response.status, problem, wait > 0 ? wait : void 0);
}
function problemOf(text2) {
  try {
    return JSON.parse(text2);
  } catch {
    return {};
  }
}
function nextOf(link) {
  return /^<([^>]+)>; rel="next"$/.exec(link ?? "")?.[1];
}
function isAbort(error) {
  return error instanceof DOMException && error.name === "AbortError";
}
function asFailure(error) {
  if (error instanceof Failure) return error;
  throw error;
}

// src/embed/handed.ts
var READY = "orgmem:ready";
var ENDED = "orgmem:token-ended";
var TOKEN = "orgmem:token";
var WAITS_S = [5, 10, 30];
var LIKE_A_TOKEN = /^[\w.~+/=-]+$/;
var Handed = class {
  /** What the server said of the last token, when it did not take it. */
  said;
  current;
  dead;
  hasWorked = false;
  asked = 0;
  timer;
  waiting = /* @__PURE__ */ new Set();
  listeners = /* @__PURE__ */ new Set();
  /** Whether a token is there, as far as one knows. */
  get isThere() {
    return this.current !== void 0;
  }
  /** Listens to the page around this one, and says so to it. */
  begin() {
    addEventListener("message", (event) => {
      if (event.source !== parent || !FRAMERS?.includes(event.origin)) return;
      const { type, token } = event.data ?? {};
      if (type === TOKEN && typeof token === "string" && LIKE_A_TOKEN.test(token)) this.take(token);
    });
    this.ask();
  }
  async token(signal) {
    signal?.throwIfAborted();
    if (this.current !== void 0) return this.current;
    return new Promise((come, calledOff) => {
      const waits = (token) => {
        signal?.removeEventListener("abort", stop);
        come(token);
      };
      const stop = () => {
        this.waiting.delete(waits);
        calledOff(signal?.reason);
      };
      this.waiting.add(waits);
      signal?.addEventListener("abort", stop);
    });
  }
  accepted(token) {
    if (token === this.current) this.hasWorked = true;
  }
  refused(token, { detail }) {
    if (token !== this.current) return;
    this.current = void 0;
    this.dead = token;
    this.said = detail;
    if (this.hasWorked) this.ask();
    else this.askLater();
    this.tell();
  }
  listen(listener) {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
  take(token) {
    if (token === this.dead || token === this.current) return;
    clearTimeout(this.timer);
    this.current = token;
    this.said = void 0;
    this.asked = 0;
    this.hasWorked = false;
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const come of waiting) come(token);
    this.tell();
  }
  /** Asks for a token, and again while none comes: the page around this one may not have listened yet. */
  ask() {
    parent.postMessage({ type: this.dead === void 0 ? READY : ENDED }, "*");
    this.askLater();
  }
  askLater() {
    clearTimeout(this.timer);
    const wait = WAITS_S[Math.min(this.asked, WAITS_S.length - 1)] ?? 30;
    this.asked += 1;
    this.timer = setTimeout(() => this.ask(), wait * 1e3);
  }
  tell() {
    for (const listener of [...this.listeners]) listener();
  }
};
var handed = new Handed();

// node_modules/preact/hooks/dist/hooks.mjs
var t2;
var r2;
var u2;
var i2;
var o2 = Object.is;
var f2 = 0;
var c2 = [];
var e2 = [];
var a2 = n;
var v2 = a2.__b;
var l2 = a2.__r;
var m2 = a2.diffed;
var h2 = a2.__c;
var s2 = a2.unmount;
var p2 = a2.__;
function y2(n2, t3) {
  a2.__h && a2.__h(r2, n2, f2 || t3), f2 = 0;
  var u3 = r2.__H || (r2.__H = { __: [], __h: [] });
  return n2 >= u3.__.length && u3.__.push({}), u3.__[n2];
}
function d2(n2) {
  return f2 = 1, _2(G2, n2);
}
function _2(n2, u3, i3) {
  var f4 = y2(t2++, 2);
  if (f4.t = n2, !f4.__c && (f4.__ = [i3 ? i3(u3) : G2(void 0, u3), function(n3) {
    var t3 = (f4.__N || f4.__)[0], r3 = f4.t(t3, n3);
    o2(t3, r3) || (f4.__N = [r3, f4.__[1]], f4.__c.setState({}));
  }], f4.__c = r2, !r2.__f)) {
    r2.__f = true;
    var c3 = r2.shouldComponentUpdate;
    r2.shouldComponentUpdate = function(n3, t3, r3) {
      var u4 = this.__H;
      if (!u4) return true;
      var i4 = false, f5 = this.props != n3;
      if (u4.__.some(function(n4) {
        n4.__N && (i4 = true, o2(n4.__[0], n4.__N[0]) || (f5 = true));
      }), c3) {
        var e3 = c3.call(this, n3, t3, r3);
        return i4 ? e3 || f5 : e3;
      }
      return !i4 || f5;
    };
  }
  return f4.__;
}
function A2(n2, u3) {
  var i3 = y2(t2++, 3);
  !a2.__s && E2(i3.__H, u3) && (i3.__P = true, i3.__ = n2, i3.u = u3, r2.__H.__h.push(i3));
}
function F2(n2, u3) {
  var i3 = y2(t2++, 4);
  !a2.__s && E2(i3.__H, u3) && (i3.__P = false, i3.__ = n2, i3.u = u3, r2.__h.push(i3));
}
function T2(n2) {
  return f2 = 5, w2(function() {
    return { current: n2 };
  }, []);
}
function w2(n2, r3) {
  var u3 = y2(t2++, 7);
  return E2(u3.__H, r3) && (u3.__ = n2(), u3.__H = r3), u3.__;
}
function b(n2, t3) {
  return f2 = 8, w2(function() {
    return n2;
  }, t3);
}
function P2() {
  var n2 = y2(t2++, 11);
  if (!n2.__) {
    for (var u3 = r2.__v; !u3.__m && u3.__; ) u3 = u3.__;
    var i3 = u3.__m || (u3.__m = [0, 0]);
    n2.__ = "P" + i3[0] + "-" + i3[1]++;
  }
  return n2.__;
}
function g2() {
  var n2;
  do {
    for (; n2 = e2.shift(); ) try {
      C2(n2);
    } catch (t4) {
      a2.__e(t4, { __: (n2 = n2.__P) && n2.__v });
    }
    for (; n2 = c2.shift(); ) {
      var t3 = n2.__H;
      if (n2.__P && t3) try {
        t3.__h.some(C2), t3.__h.some(D2), t3.__h = [];
      } catch (r3) {
        t3.__h = [], a2.__e(r3, n2.__v);
      }
    }
  } while (e2.length);
}
a2.__b = function(n2) {
  r2 = null, v2 && v2(n2);
}, a2.__ = function(n2, t3) {
  n2 && t3.__k && t3.__k.__m && (n2.__m = t3.__k.__m), p2 && p2(n2, t3);
}, a2.__r = function(n2) {
  l2 && l2(n2), t2 = 0;
  var i3 = (r2 = n2.__c).__H;
  i3 && (u2 == r2 ? r2.__h = [] : (i3.__h.some(C2), i3.__h.some(D2), t2 = 0), i3.__h = [], i3.__.some(function(n3) {
    n3.__N && (n3.__ = n3.__N), n3.u = n3.__N = void 0;
  })), u2 = r2;
}, a2.diffed = function(n2) {
  m2 && m2(n2);
  var t3 = n2.__c;
  t3 && t3.__H && (t3.__H.__h.length && B2(c2.push(t3)), t3.__H.__.some(function(n3) {
    n3.u && (n3.__H = n3.u);
  })), u2 = r2 = null;
}, a2.__c = function(n2, t3) {
  t3.some(function(n3) {
    try {
      n3.__h.some(C2), n3.__h = n3.__h.filter(function(n4) {
        return !n4.__ || D2(n4);
      });
    } catch (t4) {
      n3.__h = [function() {
        throw t4;
      }];
    }
  }), h2 && h2(n2, t3);
}, a2.unmount = function(n2) {
  s2 && s2(n2);
  var t3, r3, u3 = n2.__c;
  u3 && u3.__H && (u3.__H.__.some(function(u4) {
    try {
      if (u4.__P && u4.__c) {
        if (void 0 === r3) {
          for (r3 = n2.__; r3 && (!r3.__c || !r3.__c.__P); ) r3 = r3.__;
          r3 = r3 && r3.__c;
        }
        u4.__P = r3, B2(e2.push(u4));
      } else C2(u4);
    } catch (n3) {
      t3 = n3;
    }
  }), u3.__H = void 0, t3 && a2.__e(t3, u3.__v));
};
var k = "function" == typeof requestAnimationFrame;
function z2(n2) {
  var t3, r3 = function() {
    clearTimeout(u3), k && cancelAnimationFrame(t3), setTimeout(n2);
  }, u3 = setTimeout(r3, 35);
  k && (t3 = requestAnimationFrame(r3));
}
function B2(n2) {
  1 != n2 && i2 == a2.requestAnimationFrame || ((i2 = a2.requestAnimationFrame) || z2)(g2);
}
function C2(n2) {
  var t3 = r2, u3 = n2.__c;
  "function" == typeof u3 && (n2.__c = void 0, u3()), r2 = t3;
}
function D2(n2) {
  var t3 = r2;
  n2.__c = n2.__(), r2 = t3;
}
function E2(n2, t3) {
  return !n2 || n2.length != t3.length || t3.some(function(t4, r3) {
    return !o2(t4, n2[r3]);
  });
}
function G2(n2, t3) {
  return "function" == typeof t3 ? t3(n2) : t3;
}

// src/api/calls.ts
function query(parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== void 0 && value !== "");
  const text2 = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text2 === "" ? "" : `?${text2}`;
}
var at = {
  me: "/me",
  version: "/version",
  ready: "/readyz",
  stats: "/admin/stats",
  orgs: "/admin/tree",
  demo: "/orgs/demo",
  tokens: (id, parameters = {}) => `/workspaces/${id}/tokens${query(parameters)}`,
  workspaces: (parameters) => `/workspaces${query(parameters)}`,
  workspace: (id) => `/workspaces/${id}`,
  tree: (id, depth) => `/workspaces/${id}/tree${query({ depth })}`,
  reach: (id) => `/workspaces/${id}/reach`,
  relation: (id, other) => `/workspaces/${id}/reach/${other}`,
  memories: (id, parameters = {}) => `/workspaces/${id}/memories${query(parameters)}`,
  memory: (id, memory) => `/workspaces/${id}/memories/${memory}`,
  count: (id, parameters = {}) => `/workspaces/${id}/memories/count${query(parameters)}`,
  why: (id, memory, q2) => `/workspaces/${id}/memories/${memory}/why${query({ q: q2 })}`,
  access: (id, parameters = {}) => `/workspaces/${id}/access-log${query(parameters)}`,
  accessOf: (id, memory, parameters = {}) => `/workspaces/${id}/memories/${memory}/access-log${query(parameters)}`,
  verify: (id, cursor) => `/workspaces/${id}/access-log/verify${query({ cursor })}`,
  events: (id, parameters = {}) => `/workspaces/${id}/events${query(parameters)}`,
  history: (id, memory) => `/workspaces/${id}/memories/${memory}/history`,
  entries: (id, parameters = {}) => `/workspaces/${id}/memory${query(parameters)}`,
  entry: (id, key) => `/workspaces/${id}/memory/${encodeURIComponent(key)}`,
  session: (id, parameters = {}) => `/workspaces/${id}/session-search${query(parameters)}`,
  profiles: (id) => `/workspaces/${id}/profiles`,
  profile: (id, profile) => `/workspaces/${id}/profiles/${profile}`,
  runs: (id, parameters = {}) => `/workspaces/${id}/runs${query(parameters)}`,
  run: (id, run2, parameters = {}) => `/workspaces/${id}/runs/${run2}${query(parameters)}`,
  activity: (id, parameters = {}) => `/workspaces/${id}/activity${query(parameters)}`
};
function commitMemory(id, memory) {
  return api(at.memories(id), { method: "POST", body: memory });
}
function editMemory(id, memory, change, version) {
  return api(at.memory(id, memory), { method: "PATCH", body: change, ifMatch: `"${version}"` });
}
function restoreMemory(id, memory, version, now) {
  const body = { version };
  return api(`${at.memory(id, memory)}/restore`, { method: "POST", body, ifMatch: `"${now}"` });
}
function redactMemory(id, memory, body) {
  return api(`${at.memory(id, memory)}/redact`, { method: "POST", body });
}
function tryRedaction(id, memory, signal) {
  const body = { reason: "to be said" };
  return api(`${at.memory(id, memory)}/redact${query({ dry_run: "true" })}`, { method: "POST", body, signal });
}
function redactMemories(id, body) {
  return api(`${at.memories(id)}/redact`, { method: "POST", body });
}
function forgetMemory(id, memory) {
  return api(at.memory(id, memory), { method: "DELETE" });
}
function putEntry(id, entry) {
  return api(at.entries(id), { method: "POST", body: entry });
}
function dropEntry(id, key) {
  return api(at.entry(id, key), { method: "DELETE" });
}
function createProfile(id, profile) {
  return api(at.profiles(id), { method: "POST", body: profile });
}
function patchProfile(id, profile, change) {
  return api(at.profile(id, profile), { method: "PATCH", body: change });
}
function tryProfile(id, profile, wanted, signal) {
  const [method, path] = profile === void 0 ? ["POST", at.profiles(id)] : ["PATCH", at.profile(id, profile)];
  return api(`${path}${query({ dry_run: "true" })}`, { method, body: wanted, ...signal ? { signal } : {} });
}
function deleteProfile(id, profile) {
  return api(at.profile(id, profile), { method: "DELETE" });
}
function injectContext(id, asked2) {
  return api(`${at.workspace(id)}/context`, { method: "POST", body: asked2 });
}
function finishRun(id, run2, body) {
  return api(`${at.run(id, run2)}/finish`, { method: "POST", body });
}
function createWorkspace(workspace) {
  return api("/workspaces", { method: "POST", body: workspace });
}
function importOrg(document2, type, isTrial) {
  const path = `/orgs/import${query({ dry_run: isTrial ? "true" : void 0 })}`;
  return api(path, { method: "POST", body: document2, type });
}
function patchWorkspace(id, change) {
  return api(at.workspace(id), { method: "PATCH", body: change });
}
function tryMove(id, parent_id, signal) {
  return api(`${at.workspace(id)}${query({ dry_run: "true" })}`, { method: "PATCH", body: { parent_id }, signal });
}
function tryRemoval(id, children, signal) {
  return api(`${at.workspace(id)}${query({ children, dry_run: "true" })}`, { method: "DELETE", signal });
}
function removeWorkspace(id, children) {
  return api(`${at.workspace(id)}${query({ children })}`, { method: "DELETE" });
}
function issueToken(id, asked2) {
  return api(at.tokens(id), { method: "POST", body: asked2 });
}
function revokeTokens(id) {
  return api(at.tokens(id), { method: "DELETE" });
}
function tryRevocation(id, signal) {
  return api(`${at.tokens(id)}${query({ dry_run: "true" })}`, { method: "DELETE", signal });
}
function revokeToken(jti) {
  return api(`/tokens/${jti}`, { method: "DELETE" });
}
function signIn(proof) {
  return api("/console/session", { method: "POST", body: proof });
}
function signOut() {
  return api("/console/session", { method: "DELETE" });
}

// src/api/resource.ts
var KEPT = 60;
var FRESH_MS = 1e3;
var WAITS_S2 = [1, 2, 5, 10, 30];
var NOTHING = {
  data: void 0,
  etag: void 0,
  next: void 0,
  failure: void 0,
  isLoading: false,
  at: void 0
};
var Entry = class {
  constructor(path) {
    this.path = path;
  }
  path;
  state = { ...NOTHING };
  listeners = /* @__PURE__ */ new Set();
  calling;
  timer;
  failures = 0;
  add(listener) {
    this.listeners.add(listener);
    const { at: at2, isLoading } = this.state;
    const isFresh = at2 !== void 0 && Date.now() - at2 < FRESH_MS;
    if (!isLoading && !isFresh) void this.load();
  }
  remove(listener) {
    this.listeners.delete(listener);
    if (this.listeners.size > 0) return;
    clearTimeout(this.timer);
    this.calling?.abort();
    this.calling = void 0;
    this.state = { ...this.state, isLoading: false };
  }
  async load() {
    clearTimeout(this.timer);
    this.calling?.abort();
    const calling = new AbortController();
    this.calling = calling;
    this.set({ isLoading: true });
    try {
      const answer = await api(this.path, { signal: calling.signal });
      this.failures = 0;
      this.answered(answer);
    } catch (error) {
      if (isAbort(error)) return;
      this.failed(asFailure(error));
    }
  }
  answered({ data, etag, next }) {
    this.set({ data, etag, next, failure: void 0, isLoading: false, at: Date.now() });
  }
  failed(failure) {
    this.set({ failure, isLoading: false });
    if (!failure.isPassing) return;
    const wait = failure.retryAfter ?? WAITS_S2[Math.min(this.failures, WAITS_S2.length - 1)] ?? 30;
    this.failures += 1;
    this.timer = setTimeout(() => void this.load(), wait * 1e3);
  }
  set(change) {
    this.state = { ...this.state, ...change };
    for (const listener of [...this.listeners]) listener();
  }
};
var entries = /* @__PURE__ */ new Map();
function entryOf(path) {
  const found = entries.get(path) ?? new Entry(path);
  entries.delete(path);
  entries.set(path, found);
  if (entries.size > KEPT) forgetOldest();
  return found;
}
function forgetOldest() {
  for (const [path, entry] of entries) {
    if (entries.size <= KEPT) return;
    if (entry.listeners.size === 0) entries.delete(path);
  }
}
function useResource(path) {
  const [, redraw] = d2(0);
  const entry = path === void 0 ? void 0 : entryOf(path);
  A2(() => {
    if (!entry) return;
    const listener = () => redraw((count2) => count2 + 1);
    entry.add(listener);
    listener();
    return () => entry.remove(listener);
  }, [entry]);
  if (!entry) return NOTHING;
  const { state } = entry;
  const isFirst = state.data === void 0 && state.failure === void 0;
  return { ...state, isLoading: state.isLoading || isFirst };
}
function refresh(path) {
  void entries.get(path)?.load();
}
function changed(depends) {
  for (const [path, entry] of [...entries]) {
    if (!depends(path)) continue;
    if (entry.listeners.size > 0) void entry.load();
    else entries.delete(path);
  }
}
function workspaceChanged(id) {
  changed((path) => path.startsWith(`/workspaces/${id}`));
}
function everythingChanged() {
  changed(() => true);
}

// src/frame/title.ts
function useTitle(...parts2) {
  const title = [...parts2.filter(Boolean), "orgmem"].join(" · ");
  A2(() => {
    document.title = title;
  }, [title]);
}

// src/words/plural.ts
var plural = (count2, one, many) => `${count2} ${count2 === 1 ? one : many}`;

// src/words/access.ts
var ACTIONS = {
  commit_memory: "committed",
  edit_memory: "edited",
  restore_memory: "restored",
  forget_memory: "deleted",
  redact_memory: "redacted",
  scrub_memory: "scrubbed",
  read_memory: "read",
  search_memories: "searched",
  read_history: "read the history",
  explain_memory: "asked why",
  count_memories: "counted",
  inject_memories: "put into a prompt",
  summarize_memories: "summarized",
  export_memories: "exported",
  put_entry: "set a key",
  drop_entry: "deleted a key",
  read_entry: "read a key",
  list_entries: "listed keys",
  append_episode: "appended activity",
  list_episodes: "read the activity",
  search_session: "asked what happened",
  create_workspace: "created it",
  edit_workspace: "renamed or changed it",
  move_workspace: "moved it",
  remove_workspace: "removed it",
  purge_workspace: "removed and erased it",
  erase: "erased",
  change_profile: "changed a profile",
  start_run: "started a run",
  hold_memory: "held back",
  finish_run: "ended a run",
  read_run: "read a run",
  issue_token: "issued a token",
  revoke_token: "revoked a token",
  revoke_tokens: "revoked all tokens",
  watch_events: "was told live",
  read_access_log: "read this log",
  lose_reads: "lost rows of reads",
  trim_access_log: "old rows reclaimed"
};
var actions = Object.entries(ACTIONS);
var access = {
  access: {
    title: "Access",
    audit: "Audit",
    which: "Which org?",
    did: (action) => ACTIONS[action] ?? action.replaceAll("_", " "),
    all: "Everything done",
    action: "What was done",
    anyTime: "Any time",
    times: [
      ["3600", "Last hour"],
      ["86400", "Last day"],
      ["604800", "Last 7 days"],
      ["2592000", "Last 30 days"]
    ],
    time: "When",
    who: "By whom: the name in the log",
    below: "With all below",
    export: "Export as JSONL",
    exporting: (count2) => `${count2} rows so far…`,
    head: { at: "When", who: "Who", did: "What", as: "As", memories: "Memories", seal: "Row" },
    memories: (count2) => plural(count2, "memory", "memories"),
    more: (count2) => `${count2} more`,
    waiting: "waits to be sealed",
    sealed: "sealed",
    none: (name) => `Nothing was done as ${name} yet`,
    how: "Every write, read, redaction and deletion leaves a row here, by whatever way it was done.",
    nothingMatches: "No row matches",
    said: {
      action: (value) => `what: ${ACTIONS[value] ?? value}`,
      subject: (value) => `by ${value}`,
      memory_id: (value) => `memory ${value.slice(0, 8)}…`,
      run_id: (value) => `run ${value.slice(0, 8)}…`,
      since: (value) => `since ${value}`,
      until: (value) => `until ${value}`
    },
    context: "More"
  },
  chain: {
    title: "The chain",
    what: "Rows are sealed into a chain: a row that was changed, taken out or swapped is found.",
    verify: "Verify now",
    running: (rows2) => `${rows2} rows checked…`,
    intact: (rows2, last) => `Intact: ${plural(rows2, "row is", "rows are")} as written, up to row ${last}.`,
    waiting: (rows2) => rows2 === 0 ? "" : ` ${plural(rows2, "row waits", "rows wait")} to be sealed.`,
    broken: "Broken"
  }
};

// src/words/connect.ts
var open = (streams) => `${streams === void 0 ? "– event streams" : plural(streams, "event stream", "event streams")} ${streams === 1 ? "is" : "are"} open on this server`;
var end = (streams) => streams === 1 ? "ends" : "end";
var connect = {
  connect: {
    token: "Token",
    client: "Client",
    role: "For",
    roles: [
      ["agent", "An agent: acts as this workspace"],
      ["viewer", "A viewer: reads it and all below"],
      ["operator", "An operator: acts in it and all below"]
    ],
    lifetime: "Lifetime",
    lifetimes: [
      ["", "As usual"],
      ["3600", "1 hour"],
      ["604800", "7 days"],
      ["2592000", "30 days"],
      ["31536000", "1 year"]
    ],
    issue: "Issue a token",
    once: "Shown once.",
    until: (role, when) => `The ${role}’s token below is not kept anywhere. It ends on ${when}.`,
    ask: "Ask an operator or admin for a token of this workspace.",
    variable: "The token is read from the variable ORGMEM_TOKEN, or asked for. Issue one above and it is filled in."
  },
  tokens: {
    title: "Tokens of this workspace",
    what: "Those issued here that have not expired. A token itself is shown once and kept nowhere; tokens that a platform signs with its own key are not in this list.",
    none: "No token that was issued here is still good.",
    subject: "For whom",
    role: "Role",
    issued: "Issued",
    expires: "Expires",
    used: "Last used",
    usedWhat: "As the access log tells it: reads and writes, not what was refused.",
    unused: "not yet",
    refused: "revoked",
    byWhom: "Who issued them",
    oneAsk: "Revoke…",
    oneDo: "Revoke 1 token",
    oneTitle: "Revoke this token",
    oneSure: (subject) => `The token of ${subject} stops working at once, wherever it is used. This cannot be undone.`,
    oneEnds: (streams) => `Consoles that are signed in with it are signed out, and its clients are refused. ${open(streams)} now, and ${end(streams)}.`,
    revoked: "1 token is revoked.",
    revokeAll: "Revoke all its tokens",
    allTitle: "Revoke all tokens of this workspace",
    allSure: (name) => `Every token issued for ${name} until now stops working at once, those of other keys as well. Whoever acts as ${name} needs a new one afterwards. This cannot be undone.`,
    allEnds: (tokens, streams) => `${tokens === void 0 ? "– tokens" : plural(tokens, "token", "tokens")} issued here ${tokens === 1 ? "is" : "are"} good until then. Consoles that are signed in with any are signed out. ${open(streams)} now, and ${end(streams)}.`,
    allRevoked: (name) => `All tokens of ${name} are revoked.`
  },
  clients: {
    "claude-code": { name: "Claude Code", where: "Into .mcp.json of the project." },
    "claude-desktop": {
      name: "Claude Desktop",
      where: "Into claude_desktop_config.json (Settings, Developer, Edit Config); then restart it."
    },
    "cursor": { name: "Cursor", where: "Into .cursor/mcp.json of the project, or ~/.cursor/mcp.json." },
    "vscode": { name: "VS Code", where: "Into .vscode/mcp.json of the project." },
    "gemini-cli": { name: "Gemini CLI", where: "Into .gemini/settings.json of the project, or ~/.gemini/settings.json." },
    "codex": { name: "Codex", where: "Into ~/.codex/config.toml." },
    "rest": { name: "REST", where: "From a shell." },
    "cli": { name: "Command line", where: "From a shell." }
  }
};

// src/words/drawer.ts
var A_ROLE = {
  agent: "an agent",
  viewer: "a viewer",
  operator: "an operator",
  admin: "an admin"
};
var drawer = {
  memory: {
    title: "Memory",
    copy: "Copy the content",
    pinned: "pinned",
    standIn: "Replaced before it was stored",
    confidence: "Confidence, 0 to 1",
    confidenceOf: (value) => `confidence ${value.toFixed(2)}`,
    expiresIn: (far) => `expires in ${far}`,
    tags: "Tags",
    provenance: "Provenance",
    author: "Author",
    source: "Source",
    sourceOf: (source, role) => `${source}, written by ${A_ROLE[role]}`,
    written: "Written",
    changed: "Changed",
    version: (version) => `version ${version}`,
    expires: "Expires",
    subject: "Subject",
    session: "Session",
    run: "Run",
    supersedes: "Supersedes",
    facts: "Facts",
    json: "All fields as JSON",
    curl: "Fetch it from the command line"
  },
  why: {
    title: "Why it is visible here",
    sentence: (reader, scope, author, reason) => `${reader} reads ${scope} of ${author}: ${reason}.`,
    bound: "It is bound to one team: leaving that team ends the reading.",
    others: (count2) => count2 === 1 ? "One other can read it" : `${count2} others can read it`,
    more: (count2) => `${count2} more`,
    nobodyElse: "Nobody else can read it.",
    compare: (one, other) => `How ${one} and ${other} stand to each other`
  },
  edit: {
    do: "Edit",
    save: "Save",
    hint: "Saving makes a new version; the earlier ones stay in its history.",
    saved: (version) => `Saved as version ${version}.`
  },
  history: {
    title: "History",
    version: (version) => `Version ${version},`,
    current: "– what it says now",
    option: (version, when) => `${version} · ${when}`,
    from: "Compared from",
    to: "Compared to",
    restore: (version) => `Restore version ${version}`,
    restored: (version, now) => `Version ${version} is restored as version ${now}.`
  },
  filing: {
    do: "Tags, expiry…",
    pin: "Pin",
    unpin: "Unpin",
    save: "Save",
    saved: "Saved.",
    undo: "Undo",
    keep: "As it is",
    tagsHint: "Separated by commas."
  },
  redact: {
    ask: "Redact…",
    title: (count2) => `Redact ${plural(count2, "memory", "memories")}`,
    do: (count2) => `Redact ${plural(count2, "memory", "memories")}`,
    gone: "Gone for good",
    goes: (earlier) => [
      earlier > 0 ? `The content, and ${plural(earlier, "earlier version", "earlier versions")}` : "The content",
      "Its place in the index",
      "The metadata"
    ],
    stays: "What remains",
    remains: ["Its id, author, scope and times", "Who redacted it, when and why", "Hashes in the access log"],
    noticed: (author, names, count2, isOwn) => count2 === 0 ? `Only ${author} reads it; nobody else will notice.` : `${new Intl.ListFormat("en", { type: "conjunction" }).format([
      ...isOwn ? [] : [author],
      ...names,
      ...count2 > names.length ? [`${count2 - names.length} more`] : []
    ])} will no longer find it. It cannot be undone.`,
    readers: (readers, runs, isPartial) => readers.length === 0 ? `Nobody that you see has read it${isPartial ? ", as far as the log was looked through" : " so far"}.` : `Read so far by ${new Intl.ListFormat("en", { type: "conjunction" }).format([
      ...readers.slice(0, 4).map(([name, reads]) => `${name} (${reads} ×)`),
      ...readers.length > 4 ? [`${readers.length - 4} more`] : []
    ])}${runs > 0 ? `, in ${plural(runs, "run", "runs")}` : ""}${isPartial ? ", and perhaps more: the log was not looked through to its beginning" : ""}.`,
    reason: "Reason",
    reasonHint: "Kept for good and shown to whoever asks for it: do not repeat what is taken out.",
    missing: "Say why.",
    done: (count2) => `${plural(count2, "memory is", "memories are")} redacted.`,
    selected: (count2) => `${plural(count2, "memory", "memories")} selected`,
    clear: "Select none",
    refused: (count2) => `${plural(count2, "memory was", "memories were")} refused and ${count2 === 1 ? "stays" : "stay"} selected:`,
    many: (count2) => `The content of ${plural(count2, "memory", "memories")} goes for good, with all earlier versions. What remains: ids, authors, scopes and times, who redacted them, when and why.`
  },
  forget: {
    ask: "Delete…",
    title: "Delete this memory",
    do: "Delete 1 memory",
    what: "The content goes from every table and index, with all earlier versions. Other than with a redaction no reason is kept; the access log keeps who deleted it and when.",
    done: "1 memory is deleted."
  },
  causes: {
    found: "Found",
    not_found: "Not found",
    not_readable: "Not readable",
    expired: "Expired",
    redacted: "Redacted",
    deleted: "Deleted",
    superseded: "Replaced",
    pending: "Pending",
    isolated: "Kept out by the profile",
    kind_excluded: "Of a kind left out"
  },
  ask: {
    title: (name) => `Why does ${name} recall it, or not?`,
    memory: "Memory",
    memoryHint: "Its id, or some of its words.",
    query: "Query",
    queryHint: "What was searched for; may be left empty.",
    do: "Ask",
    which: "Which of these?",
    none: (name) => `${name} reads nothing with these words. What it cannot read is asked for by its id.`,
    replacement: "What replaces it",
    open: "Open it",
    standing: "How the two stand to each other",
    rank: (rank, found, query2) => `Number ${rank} of ${found} for “${query2}”`,
    missing: "Something missing? Ask why"
  }
};

// src/words/embed.ts
var embed = {
  embed: {
    title: (name) => `Memories of ${name}`,
    waiting: "Waiting for the page around this one to say who is asking.",
    ended: (why) => `${why} The page around this one was asked for another token; nothing that you typed is lost.`,
    alone: "A page for other pages",
    how: "It shows the memories of a workspace within another product, which says who is asking. By itself it shows nothing.",
    nobody: "No page may show it yet: the setting console.framers names none.",
    inConsole: "Open this workspace in the console"
  }
};

// src/words/frame.ts
var frame = {
  signIn: {
    title: "Sign in to orgmem",
    ended: "Your session has ended",
    again: (name) => `You were signed in as ${name}. Sign in again to go on; nothing that you typed is lost.`,
    token: "Token",
    where: "An admin’s token is in the file admin.token of the server’s data folder; others come from orgmem token issue.",
    do: "Sign in"
  },
  frame: {
    skip: "Skip to the content",
    tree: "Show the tree",
    places: "Places and workspaces",
    path: "Where this workspace stands",
    workspaces: "Workspaces",
    filter: "Filter by name",
    clearFilter: "Clear the filter",
    resize: "Width of the tree",
    noWorkspaces: "No workspaces yet",
    noneFound: "No workspace has this in its name",
    found: (count2, hasMore) => hasMore ? `The first ${count2} found` : `${count2} found`,
    memoriesOf: (count2) => count2 === 1 ? "memory" : "memories",
    orgs: (role) => role === "admin" ? "Orgs" : "Workspace"
  },
  who: {
    role: "Role",
    until: "Its token ends",
    theme: "Theme",
    themes: [
      ["system", "As the system"],
      ["light", "Light"],
      ["dark", "Dark"]
    ],
    density: "Density",
    densities: [
      ["dense", "Dense"],
      ["comfortable", "Comfortable"]
    ],
    singleKeys: "Single-letter keys",
    leave: "Sign out",
    endsSoon: (when) => `Session ends ${when}`,
    may: (role, workspace) => ({
      agent: `Acts as ${workspace ?? "its workspace"}, nothing else`,
      viewer: `Reads ${workspace ?? "a workspace"} and all below it`,
      operator: `Reads and acts in ${workspace ?? "a workspace"} and all below it`,
      admin: "Everything on this server"
    })[role]
  },
  jump: {
    button: "Search or jump…",
    title: "Jump to",
    label: "Name of a workspace, id of a memory, or place",
    placeholder: "Workspace, id, or place",
    found: "Found",
    nothing: "Nothing of this name",
    place: "Place",
    here: "Here",
    workspaceById: "Workspace with this id",
    memoryById: "Memory with this id, as this workspace reads it"
  },
  help: {
    title: "Keys",
    groups: (mod) => [
      [
        "Everywhere",
        [
          [[`${mod}K`], "Jump to a workspace, memory or place"],
          [["g", "t"], "To the tree"],
          [["g", "h"], "To the orgs"],
          [["g", "s"], "To the system"],
          [["g", "a"], "To the audit"],
          [["."], "Show what is new"],
          [["?"], "These keys"],
          [["Esc"], "Close the topmost thing, then clear the filter"]
        ]
      ],
      [
        "A workspace",
        [
          [["1", "…", "8"], "Its views"],
          [["l"], "Lens: what it can read"],
          [["⇧L"], "Lens: who can read it"],
          [["c"], "Compare with another"],
          [["w"], "Write"],
          [["e"], "Edit the open memory, as its author"],
          [["r"], "Redact the open memory, or those selected"]
        ]
      ],
      [
        "Lists",
        [
          [["/"], "Search or filter here"],
          [["j", "↓"], "Next row, also from the search"],
          [["k", "↑"], "Previous row"],
          [["Enter", "o"], "Open"],
          [["y"], "Copy the id of what is open"],
          [["x"], "Select; with Shift up to here"],
          [["p"], "Pull the run or session of a row out of the timeline"]
        ]
      ],
      [
        "The tree",
        [
          [["→"], "Open, then to the first child"],
          [["←"], "Close, then to the parent"],
          [["*"], "Open all siblings"],
          [["Home", "End"], "First, last"],
          [["a", "…", "z"], "By name"]
        ]
      ]
    ]
  },
  lens: {
    title: "Lens",
    off: "All",
    reads: "It reads",
    readBy: "Reads it",
    sentence: (lens, name) => lens === "reads" ? `What ${name} can read of each` : `Who can read what ${name} writes`,
    mark: (lens, scopes, reasons) => `${lens === "reads" ? "is read" : "reads"}: ${scopes} – ${reasons}`,
    none: (lens) => lens === "reads" ? "nothing of it is read" : "reads nothing of it"
  },
  live: {
    on: "Live",
    connecting: "Connecting",
    waiting: (seconds2) => `Again in ${seconds2} s`,
    paused: "Paused",
    title: {
      on: "What happens is shown as it happens.",
      connecting: "The stream of events is being opened.",
      waiting: "The stream of events broke off and is opened again.",
      paused: "Nothing is watched while this page is in the background."
    },
    arrived: (count2, isMore) => `${count2}${isMore ? " or more" : ""} new`,
    announced: (count2, isMore) => isMore ? `${count2} or more new memories` : plural(count2, "new memory", "new memories")
  },
  nowhere: { title: "Nothing here", why: "There is nothing at this address.", home: "To the beginning" }
};

// src/words/memories.ts
var memories = {
  memories: {
    search: "Search what it can read",
    select: "Select this memory",
    scope: "Scope",
    allScopes: "All",
    order: "Order",
    listOrders: [
      ["", "Newest first"],
      ["confidence", "Most confident first"]
    ],
    searchOrders: [
      ["", "Best match first"],
      ["recent", "Newest first"],
      ["confidence", "Most confident first"]
    ],
    none: (name) => `${name} can read no memories yet`,
    how: "Memories get here when an agent commits them, its own or one of its team:",
    nothingMatches: "Nothing matches",
    shown: (count2, hasMore) => `${hasMore ? "The first " : ""}${plural(count2, "memory", "memories")} shown`
  },
  received: {
    do: "As its agent",
    what: "The very text that its agent would get for this, in this order: what others wrote is quoted",
    via: { self: "its own", parent: "of its lead", sibling: "of its team", child: "of its member", org: "of the org" },
    copy: "Copy what the agent would get"
  },
  score: {
    of: (score) => `score ${score.toFixed(2)}`,
    similarity: (value) => `similarity ${value.toFixed(2)}`,
    similarityWhat: "How near it is to what was searched for: the cosine of their vectors, from -1 to 1",
    parts: "What its score is made of",
    names: {
      words: "The words of the query",
      pairs: "Words that stand next to each other",
      meaning: "It means something like the query",
      voice: "It does not sound like who asks",
      named_author: "The query names its author",
      date: "The query names its time",
      before: "What was said before it",
      after: "What was said after it",
      session: "The best of its session",
      recency: "How new its session is",
      confidence: "How certain it is",
      pin: "It is pinned"
    }
  },
  modes: {
    title: "How it finds",
    byWords: [
      ["", "Auto"],
      ["keyword", "Words"]
    ],
    meaning: "With an embedder",
    byMeaning: [
      ["semantic", "Meaning"],
      ["hybrid", "Both"]
    ]
  },
  filters: {
    title: "Filters",
    add: "Filter",
    which: "Which",
    value: "Value",
    remove: "Remove this filter",
    missing: "Say what to filter by.",
    without: (sentence2) => `Without ${sentence2}`,
    names: {
      namespace: "Namespace",
      kind: "Kind",
      source: "Source",
      tag: "Tag",
      author: "Author",
      subject: "Subject",
      session_id: "Session",
      run_id: "Run",
      since: "Since",
      until: "Until",
      min_confidence: "Confidence"
    },
    hints: {
      namespace: "The label it is filed under.",
      kind: "fact, summary, checkpoint, or another word.",
      source: "Where it comes from.",
      tag: "One of its tags, whole.",
      author: "The id of the workspace that wrote it.",
      subject: "The id of the end user it is about.",
      session_id: "The session it was made in.",
      run_id: "The id of the run it belongs to.",
      since: "Committed then or later.",
      until: "Committed before.",
      min_confidence: "At least this much, from 0 to 1."
    },
    said: {
      namespace: (value) => `in ${value}`,
      kind: (value) => `kind ${value}`,
      source: (value) => `from ${value}`,
      tag: (value) => `#${value}`,
      author: (value) => `by ${value}`,
      subject: (value) => `about ${value}`,
      session_id: (value) => `session ${value}`,
      run_id: (value) => `run ${value}`,
      since: (value) => `since ${value}`,
      until: (value) => `until ${value}`,
      min_confidence: (value) => `confidence ≥ ${value}`
    }
  },
  audience: {
    alone: "Nobody but this workspace will read it.",
    org: (count2) => `Everybody in the org: ${count2} others.`,
    parent: (name) => name,
    siblings: (count2) => `${count2} siblings`,
    children: (count2) => `${count2} children`,
    list: (parts2) => `Read by ${new Intl.ListFormat("en", { style: "long", type: "conjunction" }).format(parts2)}.`
  },
  write: {
    do: "Write",
    title: (name) => `Write as ${name}`,
    content: "Content",
    scope: "Scope",
    fields: { namespace: "Namespace", kind: "Kind", tags: "Tags", confidence: "Confidence" },
    tagsExample: "one, another",
    expiry: "Expiry",
    saved: "Saved.",
    replaced: (count2, kind) => `${count2} × ${kind}`,
    scrubbed: (what) => `Replaced before it was stored: ${what}.`
  },
  tagging: {
    ask: "Tags…",
    title: (count2) => `Tag ${plural(count2, "memory", "memories")}`,
    add: "Add",
    takeAway: "Take away",
    do: (count2) => `Tag ${plural(count2, "memory", "memories")}`,
    done: (count2) => `${plural(count2, "memory is", "memories are")} tagged.`
  }
};

// src/words/parts.ts
var parts = {
  again: "Ask again",
  asOf: "As of",
  cancel: "Cancel",
  close: "Close",
  more: "Show more",
  unknown: "–",
  time: {
    now: "now",
    ago: (far) => `${far} ago`,
    ahead: (far) => `in ${far}`
  },
  copy: { id: "Copy the id", this: "Copy", done: "Copied" },
  states: {
    loading: "Loading",
    offline: "The server does not answer",
    absent: "Not there",
    failed: "That did not work",
    noAnswer: "No answer came. What is shown may be old.",
    retrying: "It is being tried again.",
    busy: "It is tried again as soon as the server allows.",
    request: "Request"
  },
  lifetimes: [
    ["", "Never"],
    ["3600", "In 1 hour"],
    ["86400", "In 1 day"],
    ["604800", "In 7 days"],
    ["2592000", "In 30 days"],
    ["31536000", "In 1 year"]
  ],
  conflict: {
    title: "Somebody was faster",
    changed: (version) => `While you were editing it became version ${version}. Nothing that you typed is lost.`,
    dropped: "While you were editing it was deleted or expired. Nothing that you typed is lost.",
    theirs: "Theirs",
    mine: "Yours",
    takeTheirs: "Take theirs",
    takeMine: "Take yours",
    merged: "What is to be",
    hint: "Edit until it is right; then save.",
    goOn: "Go on with this"
  },
  diff: {
    title: "What changed",
    kinds: { same: "", gone: "without: ", new: "with: " }
  }
};

// src/words/places.ts
var places = {
  tabs: {
    memories: "Memories",
    state: "State",
    timeline: "Timeline",
    reach: "Reach",
    profiles: "Profiles",
    runs: "Runs",
    access: "Access",
    connect: "Connect"
  },
  workspace: {
    absent: "No such workspace",
    views: "Views of this workspace",
    addChild: "New workspace below",
    name: "Name",
    role: "What its agent does",
    roleHint: "In a few words; may be left empty."
  },
  orgs: {
    title: "Orgs",
    name: "Org",
    created: "Created",
    create: "Create an org",
    none: "No org yet",
    how: "An org is a root workspace and all below it: the agents, and what they remember.",
    demo: "Load the demo",
    demoWhat: "The demo is a company of 59 agents to look around in; removing its root takes it out again."
  },
  import: {
    ask: "Import…",
    title: "Import an org",
    file: "A file",
    what: "Or its text",
    hint: "YAML or JSON. What is there already is kept; nothing is imported before you have seen what would be new.",
    example: "name: Acme\nchildren:\n  - name: Dev Lead\n    role: Leads the developers\n    children:\n      - name: Coder",
    check: "See what it would add",
    would: "What it would add",
    isNew: "New",
    kept: "There already",
    do: (count2) => count2 === 0 ? "Import" : `Import ${plural(count2, "workspace", "workspaces")}`,
    done: (workspaces, memories3) => `${plural(workspaces, "workspace", "workspaces")} and ${plural(memories3, "memory", "memories")} imported.`
  },
  change: {
    menu: "Change",
    rename: "Rename…",
    renameTitle: (name) => `Rename ${name}`,
    save: "Save",
    renamed: (name) => `It is called ${name} now.`,
    move: "Move…",
    moveTitle: (name) => `Move ${name}`,
    moveTo: "New parent",
    moveHint: "A part of its name. All below moves along; who reads what follows the tree at once.",
    moveDo: (count2) => `Move ${plural(count2, "workspace", "workspaces")}`,
    moved: (name, to) => `${name} is below ${to} now.`,
    remove: "Remove…",
    removeTitle: (name) => `Remove ${name}`,
    removeWhat: (name, memories3) => `${name} stops at once: its tokens are refused, and ${memories3 === 0 ? "it holds no memories" : `nobody reads its ${plural(memories3, "memory", "memories")} any more`}.`,
    below: (count2) => count2 === 1 ? "The workspace below it" : `The ${count2} workspaces below it`,
    promote: "To its parent, one level up",
    cascade: "Removed too, with all below",
    removeDo: (count2) => `Remove ${plural(count2, "workspace", "workspaces")}`,
    removed: (name) => `${name} is removed.`
  },
  preview: {
    title: "What that would do",
    nothing: "Nobody that you see gains or loses anything.",
    affected: (count2) => `${plural(count2, "workspace", "workspaces")} would gain or lose something`,
    more: (count2) => `${plural(count2, "more workspace stands", "more workspaces stand")} where something changes.`,
    removed: "removed",
    gains: "gains",
    loses: "loses"
  },
  system: {
    title: "System",
    ready: "The store answers.",
    asking: "Asking the store…",
    notReady: (why) => `The store does not answer: ${why}.`,
    version: "Version",
    store: "Store",
    stores: { sqlite: "SQLite", postgresql: "PostgreSQL" },
    size: "Size of the database",
    orgs: "Orgs",
    workspaces: "Workspaces",
    memories: "Memories",
    entries: "Keys",
    episodes: "Episodes",
    since: "Up since",
    embedder: "Embedder",
    noEmbedder: "none: searches go by words",
    waiting: "Wait to be embedded",
    embedded: "Embedded since it is up",
    refused: "It could make nothing of, so found by words alone",
    failed: "Calls that failed",
    /** Where counting what waits ends. */
    many: (count2) => `${count2} or more`,
    /** What waits, how fast it goes, and how long it takes. */
    queue: (waiting, perSecond, left2) => perSecond > 0 ? `${waiting}, ${perSecond.toFixed(1)} a second, ${left2} left` : waiting,
    failing: (why) => `The embedder fails: ${why}.`,
    failingAct: (name) => `Searches go by words alone meanwhile, and what is written waits; nothing is lost. See to it that ${name} works.`
  }
};

// src/words/reach.ts
var reach = {
  reach: {
    sees: (name) => `${name} reads`,
    seenBy: (name) => `${name} is read by`,
    groups: {
      reads: {
        self: "Its own",
        parent: "The lead of the team it is a member of",
        sibling: "Members of the same team",
        child: "Members of the team it leads",
        org: "The org"
      },
      read_by: {
        self: "Itself",
        parent: "Members of the team it leads",
        sibling: "Members of the same team",
        child: "The lead of the team it is a member of",
        org: "Everybody in the org"
      }
    },
    all: (count2) => `Show all ${count2}`
  },
  compare: {
    title: "Compare",
    pick: "With another workspace…",
    end: "End the comparison",
    scope: "Scope",
    reads: (reader, author) => `${reader} reads ${author}`,
    yes: "Yes",
    no: "No",
    picture: "The way up from each to where they meet",
    turnRound: (name) => `The same from ${name}`,
    relation: (relation, one, other) => ({
      itself: `${one} is compared with itself.`,
      parent: `${other} is the parent of ${one}.`,
      child: `${other} is a child of ${one}.`,
      sibling: `${one} and ${other} are siblings.`,
      ancestor: `${other} stands above the parent of ${one}.`,
      descendant: `${other} stands below a child of ${one}.`,
      distant: `${one} and ${other} stand in different branches.`
    })[relation]
  }
};

// src/words/strip.ts
var memories2 = (count2) => plural(count2, "memory", "memories");
var strip = {
  strip: {
    title: "Pulled out of the timeline",
    pullRun: (id) => `run ${id.slice(-6)}`,
    pullSession: (session) => `session ${session}`,
    pull: "Pull it out of the timeline",
    run: (label, id) => label ?? `Run ${id.slice(-6)}`,
    session: (session) => `Session ${session}`,
    unknown: "No run of this workspace has this id: it was never begun here, or its row is kept no longer. This is what the log tells.",
    atAGlance: "At a glance",
    inOrder: "From its beginning",
    flow: {
      recalled: "recalled",
      injected: "into prompts",
      written: "written",
      pending: "pending",
      committed: "committed",
      dropped: "dropped",
      runs: (count2) => count2 === 1 ? "run" : "runs"
    },
    did: ({ action, phase, subject, queryHash, memories: { length } }) => {
      switch (action) {
        case "start_run":
          return `Begun by ${subject}`;
        case "search_memories":
          return `${queryHash === void 0 ? "Listed" : "Searched"}: ${memories2(length)} came back`;
        case "search_session":
          return `Asked what happened: ${memories2(length)} came back`;
        case "read_memory":
          return `Read ${memories2(length)}`;
        case "inject_memories":
          return `${memories2(length)} put into a prompt`;
        case "hold_memory":
          return `${memories2(length)} written, held back until its end`;
        case "commit_memory":
          return `${memories2(length)} committed`;
        default: {
          const did = access.access.did(action);
          const what = phase === "other" || length === 0 ? "" : `: ${memories2(length)}`;
          return `${did.charAt(0).toUpperCase()}${did.slice(1)}${what}`;
        }
      }
    },
    by: (subject) => `by ${subject}`,
    memoriesOf: (phase) => phase === "recalled" ? "What came back" : "Which",
    end: (status, written2, dropped) => {
      if (status === "open") return written2 === 0 ? ": nothing is pending" : `: ${memories2(written2)} pending, for nobody to read yet`;
      if (status === "completed") return `: ${memories2(written2)} committed${dropped === 0 ? "" : `, ${dropped} had expired`}`;
      return dropped === 0 ? ": nothing had been written" : `: ${memories2(dropped)} dropped, which nobody ever read`;
    },
    nothing: "The log tells nothing of it",
    nothingOfSession: "Nothing is known of this session here",
    beyond: (count2) => `Only the last ${count2} of it are told here; the access log has all.`,
    asRun: "Among the runs",
    itsMemories: "Its memories"
  }
};

// src/words/work.ts
var work = {
  state: {
    prefix: "Keys that begin with…",
    put: "New key",
    one: "Key",
    key: "Key",
    keyHint: "Such as task/current; up to 256 bytes.",
    value: "Value",
    version: "Version",
    versionOf: (version) => `version ${version}`,
    expires: "Expires",
    expiresAt: (when) => `expires ${when}`,
    changed: "Changed",
    asJson: "Saved as JSON.",
    asText: "Saved as text: it is no JSON.",
    ttl: "Expires",
    ttlHint: "Saving without an expiry clears an earlier one.",
    save: "Save",
    saved: (version) => `Saved as version ${version}.`,
    drop: "Delete",
    dropTitle: "Delete this key",
    dropWhat: (key, version, name) => `${key}, version ${version}, of ${name} will be gone. A key set again goes on with the next version.`,
    dropped: (key) => `Deleted ${key}.`,
    gone: "It has expired or was deleted. The text stays here; saving it sets the key anew.",
    none: (name) => `${name} keeps no working state yet`,
    nothingMatches: (prefix) => `No key begins with ${prefix}`,
    how: "Keys get here when its agent sets them:"
  },
  timeline: {
    search: "Words, beginnings or parts",
    kind: "Kind",
    kinds: [
      ["", "All"],
      ["activity", "Activity"],
      ["memory", "Memories"],
      ["reads", "Reads"]
    ],
    orders: [
      ["", "Newest first"],
      ["relevance", "Best match first"]
    ],
    none: (name) => `Nothing has happened at ${name} yet`,
    nothingMatches: "Nothing matches",
    how: "What its agent does and remembers shows up here as it happens.",
    request: "Sent",
    response: "Came back"
  },
  reads: {
    which: "Which reads",
    kinds: [
      ["search_memories", "Searches and lists"],
      ["inject_memories", "Put into prompts"],
      ["read_memory", "Single memories"],
      ["search_session", "“What happened?”"]
    ],
    none: (name) => `Nothing was read as ${name} in this way yet`,
    came: (action, count2) => action === "inject_memories" ? `${plural(count2, "memory", "memories")} put into a prompt` : `${plural(count2, "memory", "memories")} came back`,
    hash: "The hash of what was searched for: the log keeps no words. The same words have the same hash.",
    inOrder: "In the order in which they came back",
    version: (id, version) => version > 0 ? `${id}, version ${version}` : id
  },
  profiles: {
    isDefault: "default",
    new: "New profile",
    add: "New profile",
    delete: "Delete profile",
    deleteTitle: (name) => `Delete the profile ${name}`,
    deleteWhat: "Its memories belong to the default profile from then on. This cannot be undone.",
    deleted: (name) => `${name} is deleted.`,
    save: "Save",
    create: "Create profile",
    saved: (name) => `${name} is saved.`,
    labels: {
      name: "Name",
      isDefault: "The default one: it says how far the workspace reads, and which kinds it leaves out",
      isolation: "How far",
      reads: "What it reads",
      keeps: "What it keeps",
      injects: "What goes before a prompt",
      age: "For how long",
      ageIn: "Unit",
      entries: "How many",
      strategy: "What comes first",
      scopes: "Of which scopes",
      limit: "At most so many",
      confidence: "At least so confident",
      budget: "Tokens at most",
      kinds: "Kinds that it leaves out"
    },
    hints: {
      name: "One line, unique here.",
      age: "After the last change. Empty: for good.",
      entries: "Pinned ones, then the newest. Empty: all.",
      scopes: "None ticked: of all.",
      limit: "From 1 to 50.",
      confidence: "From 0 to 1. Empty: any.",
      budget: "Four bytes count as one. Empty: any.",
      kinds: "Separated by commas. They are neither committed nor recalled."
    },
    ages: [
      ["86400", "days"],
      ["3600", "hours"],
      ["60", "minutes"],
      ["1", "seconds"]
    ],
    inForce: "In force now, for whoever calls as this workspace.",
    ofItsBlock: "It is not the default one: this holds for its own block alone.",
    widens: "From then on it reads again what the tree lets it.",
    narrows: (count2) => count2 === 0 ? "Nothing that it reads now would go." : `From then on ${plural(count2, "memory that it reads now does", "memories that it reads now do")} not exist for it.`,
    narrowsUnknown: "From then on – memories that it reads now do not exist for it.",
    expires: ({ expires, too_old, too_many }) => {
      const why = [too_old > 0 && `${too_old} too old`, too_many > 0 && `${too_many} too many`].filter(Boolean).join(", ");
      return `${plural(expires, "memory of this profile expires", "memories of this profile expire")} now, with the next sweep within a minute: ${why}.`;
    },
    expiresUnknown: "– memories of this profile expire by this.",
    expireTitle: (name) => `Save ${name}`,
    expireWhat: "What they say is gone then, with all their versions. A laxer profile does not bring them back.",
    expire: (count2) => `Save, and let ${plural(count2, "memory", "memories")} expire`,
    isolations: [
      ["tree", "As far as the tree lets it"],
      ["team", "Nothing that is shared with the whole org"],
      ["isolated", "Its own memories alone"]
    ],
    strategies: [
      ["confidence", "The most confident, then the newest"],
      ["recent", "Pinned ones, then the newest"],
      ["relevance", "The best match of the query"],
      ["off", "Nothing goes in"]
    ]
  },
  context: {
    title: "What an agent would get",
    what: "The block that goes before a prompt, by the profile as it is saved. Each look is a read, and stands in the access log.",
    notYet: "Shown once the profile is made.",
    query: "What the prompt is about",
    queryHint: "May be left empty.",
    ask: "Show the block",
    block: "The block",
    size: (count2, tokens, budget) => `${plural(count2, "memory", "memories")}, ${plural(tokens, "token", "tokens")}${budget === void 0 ? "" : ` of ${budget}`}`,
    empty: "Nothing goes in.",
    /** The server names 50 at most. */
    leftOut: (count2) => count2 < 50 ? `Not in it: ${plural(count2, "memory", "memories")}` : `Not in it, the first ${count2} of those next in line`
  },
  runs: {
    one: "Run",
    status: "Status",
    statuses: {
      open: "Open",
      completed: "Completed",
      failed: "Failed",
      cancelled: "Cancelled",
      timed_out: "Timed out"
    },
    all: "All",
    session: "Session",
    by: "Started by",
    started: "Started",
    ends: "Ends",
    ended: "Ended",
    timesOut: "Times out",
    left: (far) => `in ${far}`,
    overdue: "any moment",
    memories: "Memories",
    counts: (status, written2, dropped) => status === "open" ? `${written2} pending` : [...written2 > 0 ? [`${written2} committed`] : [], ...dropped > 0 ? [`${dropped} dropped`] : []].join(", ") || "none",
    unnamed: "Without a name",
    pending: (count2) => count2 === 0 ? "Nothing is pending" : `${plural(count2, "memory", "memories")} pending`,
    unread: "Not readable by anyone yet: in no list, no search, no count.",
    never: "What was pending in it never was, and nothing of it is kept.",
    written: (count2) => count2 === 1 ? "The memory that it committed" : `The ${count2} memories that it committed`,
    log: "What was done in it",
    finish: (count2) => count2 === 0 ? "Finish" : `Finish: commit ${plural(count2, "memory", "memories")}`,
    finishTitle: "Finish this run",
    finishWhat: (name, count2) => count2 === 0 ? `The run ends well. Nothing is pending in it.` : `All that is pending is committed at once as ${name}, by the tree and the rules as they are now, and is read from then on by whoever its scope says. If one of it cannot be, nothing is and the run stays open.`,
    finished: (written2) => `The run is completed: ${plural(written2, "memory", "memories")} committed.`,
    drop: (count2) => count2 === 0 ? "Call it off" : `Drop ${plural(count2, "memory", "memories")}`,
    dropTitle: "Drop this run",
    dropWhat: "What is pending goes for good, as if it had never been written. The run stays in the list as cancelled.",
    dropped: (count2) => `The run is cancelled: ${plural(count2, "memory", "memories")} dropped.`,
    none: (name) => `${name} has had no runs yet`,
    nothingMatches: (status) => `No run is ${status.toLowerCase()}`,
    how: "What is committed within a run waits until the run ends well, and never was if it does not. A runtime starts one:"
  }
};

// src/words.ts
var words = { ...access, ...connect, ...drawer, ...embed, ...frame, ...memories, ...parts, ...places, ...reach, ...strip, ...work };

// src/tree/model.ts
var total = (counts) => counts.local + counts.team + counts.global;
function adopt(items, top, parent2) {
  const waiting = [[top, parent2]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, above] = next;
    const isKnown = node.children.length === node.child_count;
    items.set(node.id, {
      id: node.id,
      name: node.name,
      role: node.role ?? void 0,
      parent: above,
      childCount: node.child_count,
      memories: total(node.memories),
      lastWrite: node.last_write_at ?? void 0,
      children: isKnown ? node.children.map((child) => child.id) : items.get(node.id)?.children
    });
    for (const child of node.children) waiting.push([child, node.id]);
  }
}
function ofWorkspace(workspace) {
  return {
    id: workspace.id,
    name: workspace.name,
    role: workspace.role ?? void 0,
    parent: workspace.path.at(-1)?.id,
    childCount: workspace.child_count,
    memories: total(workspace.memories),
    lastWrite: workspace.last_write_at ?? void 0,
    children: void 0
  };
}
function rows(items, roots, open2) {
  const shown2 = [];
  const waiting = [];
  const push = (ids, level) => {
    for (let index = ids.length - 1; index >= 0; index -= 1) {
      waiting.push([ids[index], level, ids.length, index + 1]);
    }
  };
  push(roots, 1);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [id, level, size2, position] = next;
    const item = items.get(id);
    if (!item) continue;
    const isOpen = item.childCount > 0 && open2.has(id);
    shown2.push({ item, level, size: size2, position, isOpen, isPassed: false });
    if (isOpen && item.children) push(item.children, level + 1);
  }
  return shown2;
}
function foundRows(found) {
  const items = /* @__PURE__ */ new Map();
  const roots = [];
  const hits = new Set(found.map((workspace) => workspace.id));
  for (const workspace of found) {
    let above;
    for (const step of workspace.path) above = passed(items, roots, step.id, step.name, above);
    const item = passed(items, roots, workspace.id, workspace.name, above);
    Object.assign(item, { ...ofWorkspace(workspace), parent: item.parent, children: item.children });
  }
  for (const item of items.values()) item.childCount = item.children?.length ?? 0;
  return rows(items, roots, new Set(items.keys())).map((row) => ({ ...row, isPassed: !hits.has(row.item.id) }));
}
function passed(items, roots, id, name, above) {
  const known = items.get(id);
  if (known) return known;
  const item = {
    id,
    name,
    role: void 0,
    parent: above?.id,
    childCount: 0,
    memories: void 0,
    lastWrite: void 0,
    children: void 0
  };
  items.set(id, item);
  if (above) (above.children ??= []).push(id);
  else roots.push(id);
  return item;
}

// src/tree/store.ts
var WHOLE = 5e3;
var OPENED = "orgmem.console.open";
var TreeStore = class {
  items = /* @__PURE__ */ new Map();
  roots = [];
  open = new Set(opened());
  failure;
  isLoaded = false;
  /** Grows with every change, so that what is made of it is made once. */
  version = 0;
  me;
  listeners = /* @__PURE__ */ new Set();
  calling = new AbortController();
  constructor(me) {
    this.me = me;
  }
  listen(listener) {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
  /** Reads what was known again; until the answers are there the old is shown. */
  async load() {
    this.calling.abort();
    this.calling = new AbortController();
    const { signal } = this.calling;
    try {
      const items = /* @__PURE__ */ new Map();
      const roots = await this.tops(items, signal);
      this.items = items;
      this.roots = roots;
      this.failure = void 0;
      if (this.open.size === 0 && roots[0] !== void 0) this.open.add(roots[0]);
      this.isLoaded = true;
      this.tell();
      await Promise.all([...this.open].map((id) => this.fill(id)));
    } catch (error) {
      if (isAbort(error)) return;
      this.failure = asFailure(error);
      this.tell();
    }
  }
  toggle(id, isOpen) {
    if (isOpen) this.open.add(id);
    else this.open.delete(id);
    remember(this.open);
    this.tell();
    if (isOpen) void this.fill(id);
  }
  openAll(ids) {
    for (const id of ids) this.open.add(id);
    remember(this.open);
    this.tell();
    for (const id of ids) void this.fill(id);
  }
  /** Opens what is above a workspace, so that its row is there. */
  async reveal(id) {
    if (this.items.has(id) && this.isVisible(id)) return;
    try {
      const { data } = await api(at.workspace(id), { signal: this.calling.signal });
      for (const step of data.path) {
        this.open.add(step.id);
        await this.fill(step.id);
      }
      this.tell();
    } catch (error) {
      if (!isAbort(error)) asFailure(error);
    }
  }
  isVisible(id) {
    let above = this.items.get(id)?.parent;
    while (above !== void 0 && this.items.has(above)) {
      if (!this.open.has(above)) return false;
      above = this.items.get(above)?.parent;
    }
    return true;
  }
  async tops(items, signal) {
    const { me } = this;
    if (me.role === "admin") {
      const { orgs } = (await api(at.orgs, { signal })).data;
      for (const { org_id, name, workspaces } of orgs) {
        const unknown = { role: void 0, parent: void 0, memories: void 0, lastWrite: void 0, children: void 0 };
        items.set(org_id, { id: org_id, name, childCount: workspaces > 1 ? 1 : 0, ...unknown });
        this.sizes.set(org_id, workspaces);
      }
      return orgs.map((org) => org.org_id);
    }
    if (me.workspace_id === void 0 || me.workspace_id === null) return [];
    const { data } = await api(at.workspace(me.workspace_id), { signal });
    const item = ofWorkspace(data);
    items.set(data.id, { ...item, parent: void 0, childCount: me.role === "agent" ? 0 : item.childCount });
    this.sizes.set(data.id, data.descendant_count + 1);
    return [data.id];
  }
  /** How many workspaces are in the tree below, itself included, where that is known. */
  sizes = /* @__PURE__ */ new Map();
  /** Fetches the children of a workspace, where they are not known. */
  async fill(id) {
    const item = this.items.get(id);
    if (!item || item.childCount === 0 || item.children) return;
    const isSmall = (this.sizes.get(id) ?? Infinity) <= WHOLE;
    try {
      const { data } = await api(at.tree(id, isSmall ? void 0 : 1), { signal: this.calling.signal });
      adopt(this.items, data, item.parent);
      this.tell();
    } catch (error) {
      if (isAbort(error)) return;
      this.failure = asFailure(error);
      this.tell();
    }
  }
  tell() {
    this.version += 1;
    for (const listener of [...this.listeners]) listener();
  }
};
function opened() {
  try {
    return JSON.parse(sessionStorage.getItem(OPENED) ?? "[]");
  } catch {
    return [];
  }
}
function remember(open2) {
  try {
    sessionStorage.setItem(OPENED, JSON.stringify([...open2].slice(-500)));
  } catch {
  }
}
var shown;
function storeOf(me) {
  if (!shown || !isSame(shown, me)) {
    shown = new TreeStore(me);
    void shown.load();
  }
  return shown;
}
function isSame(store, me) {
  return store["me"].jti === me.jti;
}
function treeChanged() {
  void shown?.load();
  changed((path) => path.startsWith("/workspaces") || path.startsWith("/admin"));
}
function nameOf(id) {
  return shown?.items.get(id)?.name;
}

// src/live/events.ts
async function* events(path, signal) {
  let rest2 = "";
  for await (const piece of heard(path, signal)) {
    const blocks = (rest2 + piece).split("\n\n");
    rest2 = blocks.pop() ?? "";
    for (const block of blocks) {
      const told3 = toldIn(block);
      if (told3) yield told3;
    }
  }
}
function toldIn(block) {
  const fields = block.split("\n").map((line2) => /^(\w+): ?(.*)$/.exec(line2));
  const of = (name) => fields.filter((field) => field?.[1] === name).map((field) => field?.[2] ?? "");
  const data = of("data");
  return data.length === 0 ? void 0 : { kind: of("event").at(-1) ?? "message", data: data.join("\n") };
}

// src/live/stream.ts
var OF_MEMORIES = ["memory_committed", "memory_edited", "memory_deleted", "memory_redacted"];
var OF_TREE = ["workspace_created", "workspace_edited", "workspace_moved", "workspace_removed"];
var PARTS = {
  kv_changed: "memory",
  profile_changed: "profiles",
  run_started: "runs",
  run_changed: "runs",
  run_finished: "runs",
  activity_logged: "session-search"
};
var WAITS_S3 = [1, 2, 5, 10, 30];
var GATHER_MS = 400;
var listeners = /* @__PURE__ */ new Set();
var watchers = /* @__PURE__ */ new Set();
var Stream = class {
  path;
  state = "off";
  /** When it is tried again, while it waits. */
  againAt = 0;
  calling;
  timer;
  gathering;
  failures = 0;
  hasBeenOn = false;
  gone = /* @__PURE__ */ new Set();
  changes = { memories: false, tree: false, all: false };
  paths = /* @__PURE__ */ new Set();
  /** Watches this from now on, and nothing else. */
  watch(path) {
    if (path === this.path) return;
    this.path = path;
    this.hasBeenOn = false;
    this.failures = 0;
    this.open();
  }
  open() {
    clearTimeout(this.timer);
    this.calling?.abort();
    this.calling = void 0;
    if (this.path === void 0) return this.set("off");
    if (document.hidden) return this.set("paused");
    this.set("connecting");
    const calling = new AbortController();
    this.calling = calling;
    const ended = () => {
      if (this.calling === calling) this.failed();
    };
    this.listen(this.path, calling).then(ended, (error) => {
      ended();
      if (!isAbort(error)) asFailure(error);
    });
  }
  async listen(path, calling) {
    for await (const told3 of events(path, calling.signal)) {
      if (this.calling !== calling) return;
      this.heard(told3);
    }
  }
  heard({ kind, data }) {
    if (kind === "ready") return this.opened();
    if (kind === "resync") return this.gather({ all: true });
    if (kind === "end") return this.ended();
    if (OF_TREE.includes(kind)) return this.gather({ tree: true });
    const about = JSON.parse(data);
    const part = PARTS[kind];
    if (OF_MEMORIES.includes(kind)) this.ofMemory(kind, about);
    else if (part !== void 0) this.of(about, part);
  }
  opened() {
    this.failures = 0;
    this.set("on");
    if (this.hasBeenOn) this.gather({ all: true });
    this.hasBeenOn = true;
  }
  /** The server says that it is over: the session may be. */
  ended() {
    refresh(at.me);
    this.failed();
  }
  failed() {
    this.calling?.abort();
    this.calling = void 0;
    const wait = WAITS_S3[Math.min(this.failures, WAITS_S3.length - 1)] ?? 30;
    this.failures += 1;
    this.againAt = Date.now() + wait * 1e3;
    this.timer = setTimeout(() => this.open(), wait * 1e3);
    this.set("waiting");
  }
  ofMemory(kind, { memory_id: id }) {
    if (id !== void 0 && kind !== "memory_committed") {
      this.paths.add(`/memories/${id}`);
      if (kind !== "memory_edited") this.gone.add(id);
    }
    this.gather({ memories: true });
  }
  of({ workspace_id: id }, part) {
    this.paths.add(`/workspaces/${id}/${part}`);
    this.gather({});
  }
  /** Notes what has changed; a moment later everything noted is asked for at once. */
  gather(changes) {
    Object.assign(this.changes, changes);
    this.gathering ??= setTimeout(() => this.tell(), GATHER_MS);
  }
  tell() {
    this.gathering = void 0;
    const { changes, gone } = this;
    const paths = [...this.paths];
    this.paths.clear();
    this.changes = { memories: false, tree: false, all: false };
    this.gone = /* @__PURE__ */ new Set();
    if (changes.tree || changes.all) return treeChanged();
    if (paths.length > 0) changed((path) => paths.some((each) => path.includes(each)));
    if (changes.memories) for (const watcher of [...watchers]) watcher(gone);
  }
  set(state) {
    this.state = state;
    for (const listener of [...listeners]) listener();
  }
};
var stream = new Stream();
document.addEventListener("visibilitychange", () => {
  if (document.hidden || stream.state === "paused") stream.open();
});
function whenLiveChanges(listener) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
function whenMemoriesChange(watcher) {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

// node_modules/preact/jsx-runtime/dist/jsxRuntime.mjs
var f3 = /* @__PURE__ */ Symbol.for("pv");
var o3 = 0;
function a3(t3, e3, n2, u3, a4, i3) {
  e3 || (e3 = {});
  var c3, l3, p3 = e3;
  if ("ref" in p3 && "function" != typeof t3) for (l3 in p3 = {}, e3) "ref" == l3 ? c3 = e3[l3] : p3[l3] = e3[l3];
  var s3 = { type: t3, props: p3, key: n2, ref: c3, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: f3, __v: --o3, __i: -1, __u: 0 };
  return (a4 || i3) && (s3.__source = a4, s3.__self = i3), n.vnode && n.vnode(s3), s3;
}

// src/live/mark.tsx
function useLive(path) {
  const [, redraw] = d2(0);
  A2(() => whenLiveChanges(() => redraw((count2) => count2 + 1)), []);
  A2(() => stream.watch(path), [path]);
  return stream.state;
}
function LiveMark({ me, selected }) {
  const workspace = useResource(selected && at.workspace(selected)).data;
  const top = me.workspace_id ?? workspace?.org_id;
  const path = top === void 0 ? void 0 : at.events(top, me.role === "agent" ? {} : { subtree: "true" });
  return /* @__PURE__ */ a3(Mark, { state: useLive(path) });
}
function Mark({ state }) {
  const [, redraw] = d2(0);
  A2(() => {
    if (state !== "waiting") return;
    const timer = setInterval(() => redraw((count2) => count2 + 1), 1e3);
    return () => clearInterval(timer);
  }, [state]);
  if (state === "off") return null;
  return /* @__PURE__ */ a3("span", { class: `live ${state}`, title: words.live.title[state], children: /* @__PURE__ */ a3("span", { class: "live-word", children: wordOf(state) }) });
}
function wordOf(state) {
  if (state !== "waiting") return words.live[state];
  return words.live.waiting(Math.max(1, Math.ceil((stream.againAt - Date.now()) / 1e3)));
}

// src/api/pages.ts
function usePages(path, rowsOf = (page) => page) {
  const first2 = useResource(path);
  const before = T2(void 0);
  const [later, setLater] = d2(nothingAfter(void 0, void 0));
  const calling = T2(void 0);
  const isCurrent = later.first === first2.data;
  const after = isCurrent ? later : nothingAfter(first2.data, first2.next);
  const next = isCurrent ? later.next : first2.next;
  const rows2 = w2(() => first2.data && [...rowsOf(first2.data), ...after.rows], [first2.data, after.rows]);
  if (rows2) before.current = rows2;
  A2(() => () => calling.current?.abort(), [path]);
  const more = b(async () => {
    if (next === void 0 || after.isLoading) return;
    const asked2 = new AbortController();
    calling.current = asked2;
    const start = { ...after, first: first2.data, next, isLoading: true, failure: void 0 };
    setLater(start);
    try {
      const answer = await api(next, { signal: asked2.signal });
      setLater({ ...start, rows: [...start.rows, ...rowsOf(answer.data)], next: answer.next, isLoading: false });
    } catch (error) {
      if (!isAbort(error)) setLater({ ...start, isLoading: false, failure: asFailure(error) });
    }
  }, [next, after, first2.data]);
  return {
    rows: rows2 ?? (first2.failure ? void 0 : before.current),
    isStale: first2.data === void 0 && before.current !== void 0,
    isLoading: first2.isLoading || after.isLoading,
    failure: first2.failure ?? after.failure,
    hasMore: next !== void 0,
    more: () => void more()
  };
}
var NONE = [];
function nothingAfter(first2, next) {
  return { first: first2, rows: NONE, next, isLoading: false, failure: void 0 };
}

// src/preferences.ts
var NAME = "orgmem.console";
var DEFAULTS = { theme: "system", density: "dense", singleKeys: true, treeWidth: 320 };
var THEMES = ["system", "light", "dark"];
function said() {
  const query2 = new URLSearchParams(location.search);
  const theme = THEMES.find((each) => each === query2.get("theme")) ?? DEFAULTS.theme;
  return { ...DEFAULTS, theme, singleKeys: query2.get("keys") !== "off" };
}
function read() {
  if (isEmbedded) return said();
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(NAME) ?? "{}") };
  } catch {
    return DEFAULTS;
  }
}
var preferences = { current: read() };
var listeners2 = /* @__PURE__ */ new Set();
function prefer(change) {
  preferences.current = { ...preferences.current, ...change };
  try {
    localStorage.setItem(NAME, JSON.stringify(preferences.current));
  } catch {
  }
  applyPreferences();
  for (const listener of [...listeners2]) listener();
}
function whenPreferencesChange(listener) {
  listeners2.add(listener);
  return () => void listeners2.delete(listener);
}
function applyPreferences() {
  const { theme, density, treeWidth } = preferences.current;
  const root = document.documentElement;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  root.dataset.density = density;
  root.style.setProperty("--tree-width", `${treeWidth}px`);
}

// src/keys.ts
var PAIR_MS = 1e3;
var stack = [];
var first;
function useKeys(keys) {
  const ref = T2(keys);
  ref.current = keys;
  F2(() => {
    stack.push(ref);
    return () => void stack.splice(stack.indexOf(ref), 1);
  }, []);
}
function nameOf2(event) {
  const letter = event.key.length === 1;
  const modified = event.ctrlKey || event.metaKey ? "Mod+" : "";
  const shifted = event.shiftKey && (!letter || /[a-z]/i.test(event.key)) ? "Shift+" : "";
  return `${modified}${shifted}${letter ? event.key.toLowerCase() : event.key}`;
}
function isField(target) {
  return target instanceof HTMLElement && target.matches("input:not([type=checkbox], [type=radio]), textarea, select");
}
function take(name, event) {
  for (const keys of [...stack].reverse()) {
    const action = keys.current[name];
    if (!action || action(event) === false) continue;
    event.preventDefault();
    return true;
  }
  return false;
}
addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  const name = nameOf2(event);
  const isPlain = !name.startsWith("Mod+") && event.key.length === 1;
  if (isField(event.target) && (isPlain || !/^(Mod\+|Escape)/.test(name))) return;
  if (document.querySelector("dialog[open]:modal") && name !== "Mod+k") return;
  if (isPlain && !preferences.current.singleKeys && name !== "?") return;
  const pair = first && event.timeStamp - first.at < PAIR_MS ? `${first.key} ${name}` : void 0;
  first = void 0;
  if (pair !== void 0 && take(pair, event)) return;
  if (name === "g") {
    first = { key: "g", at: event.timeStamp };
    return;
  }
  take(name, event);
});
var MOD = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl ";

// src/parts/icons.tsx
function Drawing({ children, size: size2 = 16 }) {
  return /* @__PURE__ */ a3("svg", { class: "icon", width: size2, height: size2, viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false", children });
}
var line = { fill: "none", stroke: "currentColor", "stroke-width": 1.5, "stroke-linecap": "round" };
var Caret = () => /* @__PURE__ */ a3(Drawing, { size: 12, children: /* @__PURE__ */ a3("path", { ...line, "stroke-width": 2, d: "M6 3.5 10.5 8 6 12.5" }) });
var Cross = () => /* @__PURE__ */ a3(Drawing, { children: /* @__PURE__ */ a3("path", { ...line, d: "m4 4 8 8m0-8-8 8" }) });
var Tick = () => /* @__PURE__ */ a3(Drawing, { children: /* @__PURE__ */ a3("path", { ...line, d: "m3.5 8.5 3 3 6-7" }) });
var Glass = () => /* @__PURE__ */ a3(Drawing, { children: [
  /* @__PURE__ */ a3("circle", { ...line, cx: "7", cy: "7", r: "4" }),
  /* @__PURE__ */ a3("path", { ...line, d: "m10 10 3.5 3.5" })
] });
var Bars = () => /* @__PURE__ */ a3(Drawing, { children: /* @__PURE__ */ a3("path", { ...line, d: "M3 4.5h10M3 8h10M3 11.5h10" }) });
var Plus = () => /* @__PURE__ */ a3(Drawing, { children: /* @__PURE__ */ a3("path", { ...line, d: "M8 3.5v9M3.5 8h9" }) });
var Pin = () => /* @__PURE__ */ a3(Drawing, { size: 12, children: /* @__PURE__ */ a3("path", { ...line, d: "M5.5 2.5h5l-.7 4.2 2.2 2.6H4l2.2-2.6zM8 9.5v4" }) });
var Sheets = () => /* @__PURE__ */ a3(Drawing, { children: [
  /* @__PURE__ */ a3("rect", { ...line, x: "5.5", y: "5.5", width: "7.5", height: "8", rx: "1.2" }),
  /* @__PURE__ */ a3("path", { ...line, d: "M10.5 5.5V4a1.2 1.2 0 0 0-1.2-1.2H4.2A1.2 1.2 0 0 0 3 4v5.3a1.2 1.2 0 0 0 1.2 1.2h1.3" })
] });
var Branches = () => /* @__PURE__ */ a3(Drawing, { children: [
  /* @__PURE__ */ a3("circle", { ...line, cx: "8", cy: "3.5", r: "1.7" }),
  /* @__PURE__ */ a3("circle", { ...line, cx: "3.8", cy: "12.3", r: "1.7" }),
  /* @__PURE__ */ a3("circle", { ...line, cx: "12.2", cy: "12.3", r: "1.7" }),
  /* @__PURE__ */ a3("path", { ...line, d: "M8 5.2v2.3M3.8 10.6V9a1.5 1.5 0 0 1 1.5-1.5h5.4A1.5 1.5 0 0 1 12.2 9v1.6" })
] });
var Gauge = () => /* @__PURE__ */ a3(Drawing, { children: /* @__PURE__ */ a3("path", { ...line, d: "M2.8 12a6 6 0 1 1 10.4 0M8 9.5 10.6 6" }) });
var List = () => /* @__PURE__ */ a3(Drawing, { children: /* @__PURE__ */ a3("path", { ...line, d: "M6 4.5h7M6 8h7M6 11.5h7M3 4.5h.01M3 8h.01M3 11.5h.01" }) });
function ScopeSign({ scope }) {
  return /* @__PURE__ */ a3("svg", { class: "icon", width: "12", height: "12", viewBox: "0 0 12 12", "aria-hidden": "true", focusable: "false", children: [
    scope === "LOCAL" && /* @__PURE__ */ a3("circle", { cx: "6", cy: "6", r: "2.4", fill: "currentColor" }),
    scope === "TEAM" && /* @__PURE__ */ a3($, { children: [
      /* @__PURE__ */ a3("circle", { cx: "6", cy: "3.2", r: "2", fill: "currentColor" }),
      /* @__PURE__ */ a3("circle", { cx: "3", cy: "8.8", r: "2", fill: "currentColor" }),
      /* @__PURE__ */ a3("circle", { cx: "9", cy: "8.8", r: "2", fill: "currentColor" })
    ] }),
    scope === "GLOBAL" && /* @__PURE__ */ a3($, { children: [
      /* @__PURE__ */ a3("circle", { cx: "6", cy: "6", r: "1.8", fill: "currentColor" }),
      /* @__PURE__ */ a3("circle", { cx: "6", cy: "6", r: "4.6", fill: "none", stroke: "currentColor", "stroke-width": "1.4" })
    ] })
  ] });
}

// src/parts/chips.tsx
function ScopeChip({ scope, of }) {
  return /* @__PURE__ */ a3("span", { class: `scope ${scope.toLowerCase()}`, children: [
    /* @__PURE__ */ a3(ScopeSign, { scope }),
    /* @__PURE__ */ a3("span", { children: scope }),
    of !== void 0 && /* @__PURE__ */ a3("span", { class: "of", children: /* @__PURE__ */ a3("bdi", { children: of }) })
  ] });
}
function Chip({ children, onRemove }) {
  return /* @__PURE__ */ a3(
    "button",
    {
      type: "button",
      class: "chip",
      onClick: onRemove,
      onKeyDown: (event) => {
        if (event.key === "Delete" || event.key === "Backspace") onRemove();
      },
      children: [
        /* @__PURE__ */ a3("span", { class: "chip-text", children }),
        /* @__PURE__ */ a3(Cross, {}),
        /* @__PURE__ */ a3("span", { class: "unseen", children: words.filters.remove })
      ]
    }
  );
}

// src/route.ts
var TABS = ["memories", "state", "timeline", "reach", "profiles", "runs", "access", "connect"];
function below() {
  return decodeURI(location.pathname).slice(decodeURI(CONSOLE.pathname).length);
}
var KEPT2 = ["theme", "keys"];
function placeOf(path) {
  if (isEmbedded) return { at: "workspace", id: path.split("/").at(-1) ?? "", tab: "memories" };
  const [first2, id, tab] = path.split("/");
  if (first2 === "" || first2 === void 0) return { at: "home" };
  if (first2 === "system" && id === void 0) return { at: "system" };
  if (first2 === "audit" && id === void 0) return { at: "audit" };
  if (first2 === "w" && id && (tab === void 0 || tab === "")) return { at: "workspace", id, tab: "memories" };
  const known = TABS.find((name) => name === tab);
  if (first2 === "w" && id && known) return { at: "workspace", id, tab: known };
  return { at: "nowhere" };
}
function current() {
  return { place: placeOf(below()), query: new URLSearchParams(location.search) };
}
var listeners3 = /* @__PURE__ */ new Set();
function tell() {
  for (const listener of [...listeners3]) listener();
}
addEventListener("popstate", tell);
function address(path) {
  const url = new URL(path, CONSOLE);
  if (isEmbedded) {
    const said4 = new URLSearchParams(location.search);
    for (const name of KEPT2) if (said4.has(name)) url.searchParams.set(name, said4.get(name) ?? "");
  }
  return url.href;
}
function leadsOut(path) {
  const place2 = (url) => url.pathname.toLowerCase();
  return isEmbedded && place2(new URL(path, CONSOLE)) !== place2(location);
}
function go(path, how = {}) {
  if (leadsOut(path)) return;
  const target = address(path);
  if (target === location.href) return;
  if (how.replace) history.replaceState(null, "", target);
  else history.pushState(null, "", target);
  tell();
}
function pathWith(change, route = current()) {
  const query2 = new URLSearchParams(route.query);
  for (const [name, value] of Object.entries(change)) {
    if (value === void 0 || value === "") query2.delete(name);
    else query2.set(name, value);
  }
  const text2 = query2.toString();
  return `${pathOf(route.place)}${text2 === "" ? "" : `?${text2}`}`;
}
function goWith(change, how = {}) {
  go(pathWith(change), how);
}
function pathOf(place2) {
  switch (place2.at) {
    case "home":
      return "./";
    case "system":
    case "audit":
      return place2.at;
    case "workspace":
      return workspacePath(place2.id, place2.tab);
    case "nowhere":
      return below();
  }
}
function workspacePath(id, tab = "memories") {
  if (isEmbedded && tab === "memories") return `embed/w/${id}`;
  return `w/${id}/${tab}`;
}
function useRoute() {
  const [route, set2] = d2(current);
  A2(() => {
    const listener = () => set2(current());
    listeners3.add(listener);
    listener();
    return () => void listeners3.delete(listener);
  }, []);
  return route;
}

// src/parts/controls.tsx
function Button({ children, kind = "plain", type = "button", blocked, isBusy, ...rest2 }) {
  const why = P2();
  const button = /* @__PURE__ */ a3(
    "button",
    {
      ...rest2,
      type,
      class: `button ${kind} ${rest2.class ?? ""}`,
      "aria-disabled": blocked !== void 0 || isBusy ? "true" : void 0,
      "aria-describedby": blocked === void 0 ? void 0 : why,
      onClick: (event) => {
        if (blocked !== void 0 || isBusy) event.preventDefault();
        else rest2.onClick?.(event);
      },
      children
    }
  );
  if (blocked === void 0) return button;
  return /* @__PURE__ */ a3("span", { class: "blocked", children: [
    button,
    /* @__PURE__ */ a3("span", { class: "why", id: why, children: blocked })
  ] });
}
function IconButton({ label, children, isPressed, expanded, ...rest2 }) {
  return /* @__PURE__ */ a3(
    "button",
    {
      ...rest2,
      type: "button",
      class: `icon-button ${rest2.class ?? ""}`,
      "aria-label": label,
      title: label,
      "aria-pressed": isPressed,
      "aria-expanded": expanded,
      children
    }
  );
}
function Link({ to, children, ...rest2 }) {
  if (leadsOut(to)) {
    return /* @__PURE__ */ a3("span", { class: rest2.class, title: rest2.title, children });
  }
  return /* @__PURE__ */ a3(
    "a",
    {
      ...rest2,
      href: address(to),
      onClick: (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        go(to);
      },
      children
    }
  );
}
function Field({ label, hint, fault, children }) {
  const id = P2();
  const described = [hint ? `${id}-hint` : "", fault ? `${id}-fault` : ""].filter(Boolean).join(" ");
  return /* @__PURE__ */ a3("div", { class: "field", children: [
    /* @__PURE__ */ a3("label", { for: id, children: label }),
    children({ id, "aria-describedby": described || void 0, "aria-invalid": fault !== void 0 }),
    hint && /* @__PURE__ */ a3("p", { class: "hint", id: `${id}-hint`, children: hint }),
    fault && /* @__PURE__ */ a3("p", { class: "fault", id: `${id}-fault`, role: "alert", children: fault })
  ] });
}
function Select({ value, options, onChange, label, id }) {
  return /* @__PURE__ */ a3("select", { id, "aria-label": label, value, onChange: (event) => onChange(event.currentTarget.value), children: options.map(([each, text2]) => /* @__PURE__ */ a3("option", { value: each, selected: each === value, children: text2 }, each)) });
}

// src/parts/text.tsx
function markers(query2) {
  const found = query2.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return found.map((word) => word.length > 5 ? word.slice(0, -2) : word.replace(/s$/, "")).filter(Boolean);
}
var SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
var STAND_IN = /(\[REDACTED:[A-Z0-9_]+\])/;
function escaped(word) {
  return word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
function pattern(query2) {
  const wanted = markers(query2);
  if (wanted.length === 0) return void 0;
  const each = wanted.map(
    (word) => SPACELESS.test(word) ? `[${escaped(word)}]{2,}` : `(?<![\\p{L}\\p{N}])${escaped(word)}[\\p{L}\\p{N}_]*`
  );
  return new RegExp(`(${each.join("|")})`, "giu");
}
function Content({ text: text2, query: query2 = "" }) {
  const wanted = pattern(query2);
  return /* @__PURE__ */ a3("bdi", { children: text2.split(STAND_IN).map(
    (part, index) => index % 2 === 1 ? /* @__PURE__ */ a3("span", { class: "stand-in", title: words.memory.standIn, children: part }, index) : wanted ? part.split(wanted).map((piece, place2) => place2 % 2 === 1 ? /* @__PURE__ */ a3("mark", { children: piece }, `${index} ${place2}`) : piece) : part
  ) });
}
function Id({ id }) {
  return /* @__PURE__ */ a3(Copy, { text: id, label: words.copy.id, children: /* @__PURE__ */ a3("code", { title: id, children: `${id.slice(0, 8)}…${id.slice(-4)}` }) });
}
async function copy(text2) {
  try {
    await navigator.clipboard.writeText(text2);
    return true;
  } catch {
    return copyBySelection(text2);
  }
}
function copyBySelection(text2) {
  const area = document.createElement("textarea");
  area.value = text2;
  area.className = "unseen";
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}
function Copy({ text: text2, label, children }) {
  const [isDone, setDone] = d2(false);
  const timer = T2(void 0);
  const onClick = async () => {
    setDone(await copy(text2));
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setDone(false), 2e3);
  };
  return /* @__PURE__ */ a3("button", { type: "button", class: "copy", title: label, onClick: () => void onClick(), children: [
    children,
    isDone ? /* @__PURE__ */ a3(Tick, {}) : /* @__PURE__ */ a3(Sheets, {}),
    /* @__PURE__ */ a3("span", { class: "unseen", "aria-live": "polite", children: isDone ? words.copy.done : label })
  ] });
}
function Snippet({ text: text2, label }) {
  return /* @__PURE__ */ a3("div", { class: "snippet", children: [
    /* @__PURE__ */ a3("pre", { tabIndex: 0, "aria-label": label, children: text2 }),
    /* @__PURE__ */ a3(Copy, { text: text2, label: words.copy.this })
  ] });
}

// src/parts/states.tsx
function Empty({ title, children }) {
  return /* @__PURE__ */ a3("div", { class: "empty", children: [
    /* @__PURE__ */ a3("p", { class: "empty-title", children: title }),
    children
  ] });
}
function Waiting({ rows: rows2 = 6, height = 56 }) {
  return /* @__PURE__ */ a3("div", { class: "waiting", role: "status", "aria-label": words.states.loading, children: Array.from({ length: rows2 }, (_3, index) => /* @__PURE__ */ a3("div", { style: { height: `${height}px` }, children: [
    /* @__PURE__ */ a3("span", {}),
    /* @__PURE__ */ a3("span", {})
  ] }, index)) });
}
function Refused({ failure }) {
  const id = failure.problem.request_id;
  return /* @__PURE__ */ a3("div", { class: `refused ${failure.status >= 500 || failure.status === 0 ? "broken" : ""}`, role: "alert", children: [
    /* @__PURE__ */ a3("p", { class: "refused-title", children: titleOf(failure) }),
    /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3("bdi", { children: sentenceOf(failure) }) }),
    failure.isPassing && /* @__PURE__ */ a3("p", { class: "quiet", children: failure.status === 429 ? words.states.busy : words.states.retrying }),
    id && /* @__PURE__ */ a3("p", { class: "quiet", children: [
      words.states.request,
      " ",
      /* @__PURE__ */ a3("code", { children: id }),
      " ",
      /* @__PURE__ */ a3(Copy, { text: id, label: words.copy.id })
    ] })
  ] });
}
function titleOf(failure) {
  if (failure.status === 0) return words.states.offline;
  if (failure.status === 404) return words.states.absent;
  return failure.problem.title ?? words.states.failed;
}
function sentenceOf(failure) {
  const said4 = failure.problem.detail;
  return said4 === void 0 ? words.states.noAnswer : sentence(said4);
}
function sentence(said4) {
  return `${said4.charAt(0).toUpperCase()}${said4.slice(1)}.`;
}
function faultOf(failure, field) {
  const named2 = failure?.more("field");
  return failure && named2 === field ? sentenceOf(failure) : void 0;
}

// src/parts/time.tsx
var EXACT = new Intl.DateTimeFormat(void 0, { dateStyle: "full", timeStyle: "long" });
var SECONDS = new Intl.DateTimeFormat(void 0, { timeStyle: "medium" });
var MINUTES = new Intl.DateTimeFormat(void 0, { timeStyle: "short" });
var DAY = new Intl.DateTimeFormat(void 0, { dateStyle: "full" });
var SHORT = new Intl.DateTimeFormat(void 0, { dateStyle: "medium", timeStyle: "short" });
var STEPS = [
  [60, 1, "s"],
  [3600, 60, "min"],
  [86400, 3600, "h"],
  [86400 * 60, 86400, "d"],
  [86400 * 730, 86400 * 30.44, "months"],
  [Infinity, 86400 * 365.25, "years"]
];
function distance(from, to) {
  const seconds2 = Math.abs(to - from) / 1e3;
  if (seconds2 < 5) return words.time.now;
  const [, unit, name] = STEPS.find(([limit]) => seconds2 < limit) ?? [0, 1, "s"];
  return `${Math.floor(seconds2 / unit)} ${name}`;
}
function relative(instant, now = Date.now()) {
  const at2 = Date.parse(instant);
  const far = distance(now, at2);
  if (far === words.time.now) return far;
  return at2 > now ? words.time.ahead(far) : words.time.ago(far);
}
var exact = (instant) => EXACT.format(new Date(instant));
var clock = (instant) => MINUTES.format(new Date(instant));
var clockWithSeconds = (instant) => SECONDS.format(new Date(instant));
var day = (instant) => DAY.format(new Date(instant));
var short = (instant) => SHORT.format(new Date(instant));
var listeners4 = /* @__PURE__ */ new Set();
setInterval(() => {
  if (!document.hidden) for (const listener of [...listeners4]) listener();
}, 3e4);
function useNow() {
  const [, set2] = d2(0);
  A2(() => {
    const listener = () => set2(Date.now());
    listeners4.add(listener);
    return () => void listeners4.delete(listener);
  }, []);
  return Date.now();
}
function Time({ at: at2, brief }) {
  const now = useNow();
  const text2 = brief ? distance(now, Date.parse(at2)) : relative(at2, now);
  return /* @__PURE__ */ a3("time", { dateTime: at2, title: exact(at2), children: text2 });
}

// src/session.ts
var hasEnded = false;
var refusedCode;
var listeners5 = /* @__PURE__ */ new Set();
function set(ended) {
  if (hasEnded === ended) return;
  hasEnded = ended;
  for (const listener of [...listeners5]) listener();
}
whenSessionEnds(() => set(true));
function useSessionEnded() {
  const [ended, redraw] = d2(hasEnded);
  A2(() => {
    const listener = () => redraw(hasEnded);
    listeners5.add(listener);
    listener();
    return () => void listeners5.delete(listener);
  }, []);
  return ended;
}
var codeRefused = () => refusedCode;
async function useCodeOfLink() {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (code === null) return;
  history.replaceState(null, "", location.pathname + location.search);
  try {
    await signIn({ code });
  } catch (error) {
    refusedCode = asFailure(error);
  }
}
async function enter(token) {
  await signIn({ token: token.trim() });
  refusedCode = void 0;
  set(false);
  everythingChanged();
}
async function leave() {
  await signOut();
  location.reload();
}
function may(me, action) {
  return me.may.includes(action);
}

// src/drawer/access.tsx
function Access({ workspace, id, isOpen = false }) {
  const [open2, set2] = d2(isOpen);
  return /* @__PURE__ */ a3("details", { open: isOpen, onToggle: (event) => set2(event.currentTarget.open), children: [
    /* @__PURE__ */ a3("summary", { children: /* @__PURE__ */ a3("h3", { children: words.access.title }) }),
    open2 && /* @__PURE__ */ a3(Rows, { workspace, id })
  ] });
}
function Rows({ workspace, id }) {
  const pages = usePages(at.accessOf(workspace.id, id, { limit: 20 }));
  if (pages.failure) return /* @__PURE__ */ a3(Refused, { failure: pages.failure });
  return /* @__PURE__ */ a3("div", { children: [
    /* @__PURE__ */ a3("ul", { class: "accesses", children: pages.rows?.map((row) => /* @__PURE__ */ a3("li", { children: [
      /* @__PURE__ */ a3("span", { children: [
        words.access.did(row.action),
        /* @__PURE__ */ a3("span", { class: "quiet", children: [
          " ",
          /* @__PURE__ */ a3("bdi", { children: row.subject }),
          row.memories[0] && row.memories[0].version > 0 && `, ${words.memory.version(row.memories[0].version)}`
        ] })
      ] }),
      /* @__PURE__ */ a3(Time, { at: row.at })
    ] }, row.seq)) }),
    pages.hasMore && /* @__PURE__ */ a3(Button, { kind: "quiet", onClick: pages.more, children: words.more })
  ] });
}

// src/drawer/absent.tsx
function Absent({ workspace, id, failure }) {
  const why = useResource(failure.status === 404 ? at.why(workspace.id, id) : void 0);
  if (failure.status !== 404 || why.failure) return /* @__PURE__ */ a3(Refused, { failure });
  if (!why.data) return /* @__PURE__ */ a3(Waiting, { rows: 3 });
  return /* @__PURE__ */ a3("div", { class: "drawer-body", children: [
    /* @__PURE__ */ a3("div", { class: "refused", children: [
      /* @__PURE__ */ a3("p", { class: "refused-title", children: words.causes[why.data.cause] }),
      /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3("bdi", { children: sentence(why.data.reason) }) }),
      why.data.since && /* @__PURE__ */ a3("p", { class: "quiet", children: /* @__PURE__ */ a3(Time, { at: why.data.since }) }),
      why.data.superseded_by && /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3(Link, { to: pathWith({ m: why.data.superseded_by }), children: words.ask.replacement }) }),
      /* @__PURE__ */ a3("p", { class: "quiet", children: /* @__PURE__ */ a3(Id, { id }) })
    ] }),
    /* @__PURE__ */ a3(Access, { workspace, id, isOpen: true })
  ] });
}

// src/parts/dialog.tsx
function Dialog({ title, onClose, children, size: size2 = "wide", isForced }) {
  const ref = T2(null);
  const id = P2();
  A2(() => {
    const before = document.activeElement;
    const dialog = ref.current;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return /* @__PURE__ */ a3(
    "dialog",
    {
      ref,
      class: size2,
      "aria-labelledby": id,
      onCancel: (event) => {
        event.preventDefault();
        if (!isForced) onClose();
      },
      children: [
        /* @__PURE__ */ a3("header", { children: [
          /* @__PURE__ */ a3("h2", { id, children: title }),
          !isForced && /* @__PURE__ */ a3(IconButton, { label: words.close, onClick: onClose, children: /* @__PURE__ */ a3(Cross, {}) })
        ] }),
        children
      ]
    }
  );
}
var count = 0;
var show = () => {
};
function say(text2, action) {
  count += 1;
  show(action ? { id: count, text: text2, action } : { id: count, text: text2 });
}
function Toasts() {
  const [message, set2] = d2();
  show = set2;
  A2(() => {
    if (!message) return;
    const timer = setTimeout(() => set2(void 0), 1e4);
    return () => clearTimeout(timer);
  }, [message]);
  return /* @__PURE__ */ a3("div", { class: "toasts", role: "status", children: message && /* @__PURE__ */ a3("div", { class: "toast", children: [
    /* @__PURE__ */ a3("span", { children: message.text }),
    message.action && /* @__PURE__ */ a3(
      "button",
      {
        type: "button",
        class: "button quiet",
        onClick: () => {
          message.action?.run();
          set2(void 0);
        },
        children: message.action.label
      }
    ),
    /* @__PURE__ */ a3(IconButton, { label: words.close, onClick: () => set2(void 0), children: /* @__PURE__ */ a3(Cross, {}) })
  ] }, message.id) });
}

// src/parts/diff.tsx
var MOST = 600;
function Diff({ from, to }) {
  return /* @__PURE__ */ a3("pre", { class: "diff", tabIndex: 0, "aria-label": words.diff.title, children: lines(from, to).map((line2, index) => /* @__PURE__ */ a3("span", { class: `line ${line2.kind}`, children: [
    /* @__PURE__ */ a3("span", { class: "unseen", children: words.diff.kinds[line2.kind] }),
    line2.pieces.map((piece, place2) => /* @__PURE__ */ a3("span", { class: piece.kind, children: piece.text }, place2)),
    "\n"
  ] }, index)) });
}
function lines(from, to) {
  const [old, young] = [from.split("\n"), to.split("\n")];
  if (old.length > MOST || young.length > MOST) {
    return [...old.map((text2) => whole("gone", text2)), ...young.map((text2) => whole("new", text2))];
  }
  return withWords(compared(old, young));
}
var whole = (kind, text2) => ({ kind, pieces: [{ kind: "same", text: text2 }] });
function withWords(pieces) {
  const found = [];
  for (let index = 0; index < pieces.length; index += 1) {
    const gone = run(pieces, index, "gone");
    const young = run(pieces, index + gone.length, "new");
    if (gone.length > 0 && gone.length === young.length) {
      for (let place2 = 0; place2 < gone.length; place2 += 1) {
        const parts2 = compared(split(gone[place2] ?? ""), split(young[place2] ?? ""));
        found.push({ kind: "gone", pieces: parts2.filter((part) => part.kind !== "new") });
      }
      for (let place2 = 0; place2 < gone.length; place2 += 1) {
        const parts2 = compared(split(gone[place2] ?? ""), split(young[place2] ?? ""));
        found.push({ kind: "new", pieces: parts2.filter((part) => part.kind !== "gone") });
      }
      index += gone.length + young.length - 1;
    } else {
      const piece = pieces[index];
      found.push(whole(piece.kind, piece.text));
    }
  }
  return found;
}
function run(pieces, start, kind) {
  const texts = [];
  for (let index = start; pieces[index]?.kind === kind; index += 1) texts.push(pieces[index]?.text ?? "");
  return texts;
}
var split = (line2) => line2.split(/(\s+|[.,;:{}[\]"()])/).filter((part) => part !== "");
function compared(old, young) {
  const width = young.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let i4 = old.length - 1; i4 >= 0; i4 -= 1) {
    for (let j3 = young.length - 1; j3 >= 0; j3 -= 1) {
      const below3 = lengths[(i4 + 1) * width + j3];
      const beside = lengths[i4 * width + j3 + 1];
      const across = lengths[(i4 + 1) * width + j3 + 1];
      lengths[i4 * width + j3] = old[i4] === young[j3] ? across + 1 : Math.max(below3, beside);
    }
  }
  const pieces = [];
  let [i3, j2] = [0, 0];
  while (i3 < old.length || j2 < young.length) {
    if (i3 < old.length && j2 < young.length && old[i3] === young[j2]) {
      pieces.push({ kind: "same", text: old[i3] });
      i3 += 1;
      j2 += 1;
    } else if (j2 >= young.length || i3 < old.length && lengths[(i3 + 1) * width + j2] >= lengths[i3 * width + j2 + 1]) {
      pieces.push({ kind: "gone", text: old[i3] });
      i3 += 1;
    } else {
      pieces.push({ kind: "new", text: young[j2] });
      j2 += 1;
    }
  }
  return pieces;
}

// src/parts/conflict.tsx
function Conflict({ base, theirs, mine, check, onClose, onTake }) {
  const other = theirs?.text ?? "";
  const [merged, setMerged] = d2(mine);
  const fault = check?.(merged);
  return /* @__PURE__ */ a3(Dialog, { title: words.conflict.title, onClose, children: [
    /* @__PURE__ */ a3("p", { children: theirs ? words.conflict.changed(theirs.version) : words.conflict.dropped }),
    /* @__PURE__ */ a3("div", { class: "three", children: [
      /* @__PURE__ */ a3("section", { children: [
        /* @__PURE__ */ a3("h3", { children: words.conflict.theirs }),
        /* @__PURE__ */ a3(Diff, { from: base, to: other }),
        /* @__PURE__ */ a3(Button, { onClick: () => setMerged(other), children: words.conflict.takeTheirs })
      ] }),
      /* @__PURE__ */ a3("section", { children: [
        /* @__PURE__ */ a3("h3", { children: words.conflict.mine }),
        /* @__PURE__ */ a3(Diff, { from: base, to: mine }),
        /* @__PURE__ */ a3(Button, { onClick: () => setMerged(mine), children: words.conflict.takeMine })
      ] })
    ] }),
    /* @__PURE__ */ a3(Field, { label: words.conflict.merged, hint: words.conflict.hint, fault, children: (attributes) => /* @__PURE__ */ a3(
      "textarea",
      {
        ...attributes,
        class: "code",
        rows: 8,
        spellcheck: false,
        value: merged,
        onInput: (event) => setMerged(event.currentTarget.value)
      }
    ) }),
    /* @__PURE__ */ a3("footer", { children: [
      /* @__PURE__ */ a3(Button, { onClick: onClose, children: words.cancel }),
      /* @__PURE__ */ a3(Button, { kind: "first", blocked: fault, onClick: () => onTake(merged), children: words.conflict.goOn })
    ] })
  ] });
}

// src/drawer/edit.tsx
function Edit({ workspace, memory, onDone }) {
  const [base, setBase] = d2({ version: memory.version, text: memory.content });
  const [text2, setText] = d2(memory.content);
  const [theirs, setTheirs] = d2();
  const [failure, setFailure] = d2();
  const [isBusy, setBusy] = d2(false);
  const save3 = async (event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFailure(void 0);
    try {
      const { data } = await editMemory(workspace.id, memory.id, { content: text2 }, base.version);
      say(words.edit.saved(data.version));
      workspaceChanged(workspace.id);
      onDone();
    } catch (error) {
      const refused2 = asFailure(error);
      if (refused2.problem.code === "version_conflict") setTheirs(await current2(workspace.id, memory.id));
      else setFailure(refused2);
      setBusy(false);
    }
  };
  const fault = faultOf(failure, "content");
  return /* @__PURE__ */ a3(
    "form",
    {
      class: "edit",
      onSubmit: (event) => void save3(event),
      onKeyDown: (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save3(event);
      },
      children: [
        /* @__PURE__ */ a3(Field, { label: words.write.content, hint: words.edit.hint, fault, children: (attributes) => /* @__PURE__ */ a3(
          "textarea",
          {
            ...attributes,
            rows: Math.min(16, 3 + Math.ceil(text2.length / 48)),
            required: true,
            ref: focusOnce,
            value: text2,
            onInput: (event) => setText(event.currentTarget.value)
          }
        ) }),
        failure && fault === void 0 && /* @__PURE__ */ a3("p", { class: "fault", role: "alert", children: sentenceOf(failure) }),
        /* @__PURE__ */ a3("footer", { children: [
          /* @__PURE__ */ a3(Button, { onClick: onDone, children: words.cancel }),
          /* @__PURE__ */ a3(Button, { kind: "first", type: "submit", isBusy, children: words.edit.save })
        ] }),
        theirs !== void 0 && /* @__PURE__ */ a3(
          Conflict,
          {
            base: base.text,
            theirs,
            mine: text2,
            onClose: () => setTheirs(void 0),
            onTake: (merged) => {
              if (theirs) setBase(theirs);
              setText(merged);
              setTheirs(void 0);
            }
          }
        )
      ]
    }
  );
}
function focusOnce(element) {
  if (element && !element.dataset.seen) {
    element.dataset.seen = "1";
    element.focus();
  }
}
async function current2(workspace, memory) {
  try {
    const { data } = await api(at.memory(workspace, memory));
    return { version: data.version, text: data.content };
  } catch (error) {
    if (asFailure(error).status === 404) return null;
    throw error;
  }
}

// src/drawer/filing.tsx
async function file(workspace, memory, change, back) {
  try {
    await save(workspace, memory, change, back);
  } catch (error) {
    say(sentenceOf(asFailure(error)));
  }
}
async function save(workspace, memory, change, back) {
  const { data } = await editMemory(workspace.id, memory.id, change, memory.version);
  workspaceChanged(workspace.id);
  const undo = async () => {
    try {
      await editMemory(workspace.id, memory.id, back, data.version);
      workspaceChanged(workspace.id);
    } catch (error) {
      say(sentenceOf(asFailure(error)));
    }
  };
  say(words.filing.saved, { label: words.filing.undo, run: () => void undo() });
}
function Filing({ workspace, memory, onDone }) {
  const [tags, setTags] = d2(memory.tags.join(", "));
  const [ttl, setTtl] = d2(KEPT3);
  const [failure, setFailure] = d2();
  const submit = async (event) => {
    event.preventDefault();
    const wanted = tags.split(",").map((tag) => tag.trim()).filter(Boolean);
    const expiry = ttl === KEPT3 ? {} : ttl === "" ? { expires_at: null } : { ttl_seconds: Number(ttl) };
    const back = { tags: memory.tags, ...ttl === KEPT3 ? {} : { expires_at: memory.expires_at ?? null } };
    try {
      await save(workspace, memory, { tags: wanted, ...expiry }, back);
      onDone();
    } catch (error) {
      setFailure(asFailure(error));
    }
  };
  const fault = faultOf(failure, "tags");
  return /* @__PURE__ */ a3("form", { class: "edit", onSubmit: (event) => void submit(event), children: [
    /* @__PURE__ */ a3(Field, { label: words.write.fields.tags, hint: words.filing.tagsHint, fault, children: (attributes) => /* @__PURE__ */ a3(
      "input",
      {
        ...attributes,
        type: "text",
        autofocus: true,
        value: tags,
        onInput: (event) => setTags(event.currentTarget.value)
      }
    ) }),
    /* @__PURE__ */ a3(Field, { label: words.write.expiry, children: ({ id }) => /* @__PURE__ */ a3(Select, { id, value: ttl, options: [[KEPT3, words.filing.keep], ...words.lifetimes], onChange: setTtl }) }),
    failure && fault === void 0 && /* @__PURE__ */ a3("p", { class: "fault", role: "alert", children: sentenceOf(failure) }),
    /* @__PURE__ */ a3("footer", { children: [
      /* @__PURE__ */ a3(Button, { onClick: onDone, children: words.cancel }),
      /* @__PURE__ */ a3(Button, { kind: "first", type: "submit", children: words.filing.save })
    ] })
  ] });
}
var KEPT3 = "kept";

// src/drawer/history.tsx
function History({ workspace, memory, canEdit }) {
  const [isOpen, open2] = d2(false);
  return /* @__PURE__ */ a3("details", { onToggle: (event) => open2(event.currentTarget.open), children: [
    /* @__PURE__ */ a3("summary", { children: [
      /* @__PURE__ */ a3("h3", { children: words.history.title }),
      /* @__PURE__ */ a3("span", { class: "quiet", children: words.memory.version(memory.version) })
    ] }),
    isOpen && /* @__PURE__ */ a3(Versions, { workspace, memory, canEdit })
  ] });
}
function Versions({ workspace, memory, canEdit }) {
  const pages = usePages(at.history(workspace.id, memory.id));
  const [chosen, choose] = d2({});
  const [failure, setFailure] = d2();
  if (pages.failure) return /* @__PURE__ */ a3(Refused, { failure: pages.failure });
  const versions = pages.rows ?? [];
  const to = versions.find((each) => each.version === chosen.to) ?? versions[0];
  const from = versions.find((each) => each.version === chosen.from) ?? versions[1];
  const restore = async (version) => {
    try {
      const { data } = await restoreMemory(workspace.id, memory.id, version, memory.version);
      say(words.history.restored(version, data.version));
      workspaceChanged(workspace.id);
    } catch (error) {
      setFailure(asFailure(error));
    }
  };
  const options = versions.map((each) => [String(each.version), words.history.option(each.version, short(each.written_at))]);
  return /* @__PURE__ */ a3("div", { class: "history", children: [
    /* @__PURE__ */ a3("ol", { children: versions.map((each) => /* @__PURE__ */ a3("li", { children: [
      /* @__PURE__ */ a3("span", { children: [
        words.history.version(each.version),
        " ",
        /* @__PURE__ */ a3(Time, { at: each.written_at }),
        each.current && /* @__PURE__ */ a3("span", { class: "quiet", children: [
          " ",
          words.history.current
        ] })
      ] }),
      /* @__PURE__ */ a3("span", { class: "quiet", children: words.memory.sourceOf(each.source, each.role) }),
      canEdit && !each.current && /* @__PURE__ */ a3(Button, { kind: "quiet", onClick: () => void restore(each.version), children: words.history.restore(each.version) })
    ] }, each.version)) }),
    pages.hasMore && /* @__PURE__ */ a3(Button, { kind: "quiet", onClick: pages.more, children: words.more }),
    failure && /* @__PURE__ */ a3("p", { class: "fault", role: "alert", children: sentenceOf(failure) }),
    from && to && /* @__PURE__ */ a3($, { children: [
      /* @__PURE__ */ a3("div", { class: "compared", children: [
        /* @__PURE__ */ a3(
          Select,
          {
            label: words.history.from,
            value: String(from.version),
            options,
            onChange: (version) => choose({ ...chosen, from: Number(version) })
          }
        ),
        /* @__PURE__ */ a3("span", { "aria-hidden": "true", children: "→" }),
        /* @__PURE__ */ a3(
          Select,
          {
            label: words.history.to,
            value: String(to.version),
            options,
            onChange: (version) => choose({ ...chosen, to: Number(version) })
          }
        )
      ] }),
      /* @__PURE__ */ a3(Diff, { from: from.content, to: to.content })
    ] })
  ] });
}

// src/api/trial.ts
var NOTHING2 = { data: void 0, failure: void 0, isLoading: false };
var WAITING = { ...NOTHING2, isLoading: true };
function useTrial(of, ask) {
  const [answered2, set2] = d2();
  A2(() => {
    if (of === void 0) return;
    const asked2 = new AbortController();
    ask(asked2.signal).then(
      ({ data }) => set2({ of, trial: { ...NOTHING2, data } }),
      (error) => {
        if (!isAbort(error)) set2({ of, trial: { ...NOTHING2, failure: asFailure(error) } });
      }
    );
    return () => asked2.abort();
  }, [of]);
  if (of === void 0) return NOTHING2;
  return answered2?.of === of ? answered2.trial : WAITING;
}

// src/parts/confirm.tsx
function Fault({ failure }) {
  if (!failure) return null;
  return /* @__PURE__ */ a3("p", { class: "fault", role: "alert", children: /* @__PURE__ */ a3("bdi", { children: sentenceOf(failure) }) });
}
function Confirm({ title, size: size2 = "wide", label, kind = "danger", act, onClose, children }) {
  const [failure, setFailure] = d2();
  const [isBusy, setBusy] = d2(false);
  const submit = async (event) => {
    event.preventDefault();
    if (isBusy || label === void 0) return;
    setBusy(true);
    setFailure(void 0);
    try {
      if (await act() === false) setBusy(false);
      else onClose();
    } catch (error) {
      setFailure(asFailure(error));
      setBusy(false);
    }
  };
  const { shown: shown2, isTold } = typeof children === "function" ? children(failure) : { shown: children, isTold: false };
  return /* @__PURE__ */ a3(Dialog, { title, size: size2, onClose, children: /* @__PURE__ */ a3("form", { onSubmit: (event) => void submit(event), children: [
    shown2,
    !isTold && /* @__PURE__ */ a3(Fault, { failure }),
    /* @__PURE__ */ a3("footer", { children: [
      /* @__PURE__ */ a3(Button, { onClick: onClose, autofocus: true, children: words.cancel }),
      label !== void 0 && /* @__PURE__ */ a3(Button, { kind, type: "submit", isBusy, children: label })
    ] })
  ] }) });
}

// src/drawer/redaction.tsx
function Redaction({ count: count2, children, redact, onClose }) {
  const [reason, setReason] = d2("");
  const [isMissing, setMissing] = d2(false);
  const act = async () => {
    const given = reason.trim();
    setMissing(given === "");
    return given === "" ? false : redact(given);
  };
  return /* @__PURE__ */ a3(Confirm, { title: words.redact.title(count2), label: words.redact.do(count2), act, onClose, children: (failure) => {
    const fault = isMissing && reason.trim() === "" ? words.redact.missing : faultOf(failure, "reason");
    const shown2 = /* @__PURE__ */ a3($, { children: [
      children,
      /* @__PURE__ */ a3(Field, { label: words.redact.reason, hint: words.redact.reasonHint, fault, children: (attributes) => /* @__PURE__ */ a3(
        "input",
        {
          ...attributes,
          type: "text",
          maxLength: 500,
          value: reason,
          onInput: (event) => setReason(event.currentTarget.value)
        }
      ) })
    ] });
    return { shown: shown2, isTold: fault !== void 0 };
  } });
}

// src/drawer/take-out.tsx
var SHOWN = 280;
var NAMED = 4;
function Redact({ workspace, memory, onClose }) {
  const trial = useTrial(memory.id, (signal) => tryRedaction(workspace.id, memory.id, signal));
  const readers = (trial.data?.readers ?? []).map(({ name, reads }) => [name, reads]);
  const redact = async (reason) => {
    await redactMemory(workspace.id, memory.id, { reason });
    taken(workspace, words.redact.done(1));
  };
  return /* @__PURE__ */ a3(Redaction, { count: 1, redact, onClose, children: [
    /* @__PURE__ */ a3(FirstLines, { memory }),
    /* @__PURE__ */ a3("div", { class: "effects", children: [
      /* @__PURE__ */ a3("section", { children: [
        /* @__PURE__ */ a3("h3", { children: words.redact.gone }),
        /* @__PURE__ */ a3("ul", { children: words.redact.goes(memory.version - 1).map((each) => /* @__PURE__ */ a3("li", { children: each }, each)) })
      ] }),
      /* @__PURE__ */ a3("section", { children: [
        /* @__PURE__ */ a3("h3", { children: words.redact.stays }),
        /* @__PURE__ */ a3("ul", { children: words.redact.remains.map((each) => /* @__PURE__ */ a3("li", { children: each }, each)) })
      ] })
    ] }),
    /* @__PURE__ */ a3(Noticed, { workspace, memory }),
    trial.data && /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3("bdi", { children: words.redact.readers(readers, trial.data.runs?.length ?? 0, trial.data.readers_partial === true) }) })
  ] });
}
function Forget({ workspace, memory, onClose }) {
  const forget = async () => {
    await forgetMemory(workspace.id, memory.id);
    taken(workspace, words.forget.done);
  };
  return /* @__PURE__ */ a3(Confirm, { title: words.forget.title, label: words.forget.do, act: forget, onClose, children: [
    /* @__PURE__ */ a3(FirstLines, { memory }),
    /* @__PURE__ */ a3("p", { children: words.forget.what }),
    /* @__PURE__ */ a3(Noticed, { workspace, memory })
  ] });
}
function taken(workspace, said4) {
  say(said4);
  workspaceChanged(workspace.id);
  treeChanged();
}
function FirstLines({ memory }) {
  const isCut = memory.content.length > SHOWN;
  return /* @__PURE__ */ a3("blockquote", { class: "first-lines", children: /* @__PURE__ */ a3(Content, { text: isCut ? `${memory.content.slice(0, SHOWN)}…` : memory.content }) });
}
function Noticed({ workspace, memory }) {
  const isAsked = memory.team === void 0 || memory.team === null;
  const reach2 = useResource(isAsked ? at.reach(memory.workspace_id) : void 0);
  if (!reach2.data) return null;
  const readers = reach2.data.read_by.filter((row) => row.scope === memory.scope && row.via !== "self");
  const names = readers.slice(0, readers.length <= NAMED ? NAMED : NAMED - 1).map((row) => row.name);
  return /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3("bdi", { children: words.redact.noticed(memory.workspace_name, names, readers.length, workspace.id === memory.workspace_id) }) });
}

// src/drawer/why.tsx
function Why({ workspace, memory, query: query2 }) {
  const relation = useResource(at.relation(workspace.id, memory.workspace_id));
  const row = relation.data?.rows.find((each) => each.scope === memory.scope);
  return /* @__PURE__ */ a3("details", { open: true, children: [
    /* @__PURE__ */ a3("summary", { children: /* @__PURE__ */ a3("h3", { children: words.why.title }) }),
    relation.failure && /* @__PURE__ */ a3(Refused, { failure: relation.failure }),
    row && /* @__PURE__ */ a3("p", { class: "sentence", children: /* @__PURE__ */ a3("bdi", { children: words.why.sentence(workspace.name, memory.scope, memory.workspace_name, row.reads_reason) }) }),
    query2 !== "" && /* @__PURE__ */ a3(Rank, { workspace, memory, query: query2 }),
    memory.team && /* @__PURE__ */ a3("p", { class: "quiet", children: words.why.bound }),
    /* @__PURE__ */ a3(Others, { memory, workspace }),
    memory.via !== "self" && !isEmbedded && /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3(Link, { to: `${workspacePath(workspace.id, "reach")}?with=${memory.workspace_id}`, children: words.why.compare(workspace.name, memory.workspace_name) }) })
  ] });
}
function Rank({ workspace, memory, query: query2 }) {
  const cause = useResource(at.why(workspace.id, memory.id, query2)).data;
  if (!cause) return null;
  const { rank, found } = cause;
  const isFound = rank !== void 0 && rank !== null && found !== void 0 && found !== null;
  const asked2 = new URLSearchParams({ ask: memory.id, q: query2 });
  return /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3(Link, { to: `${workspacePath(workspace.id, "reach")}?${asked2}`, children: /* @__PURE__ */ a3("bdi", { children: isFound ? words.ask.rank(rank, found, query2) : sentence(cause.reason) }) }) });
}
function Others({ workspace, memory }) {
  const isAsked = memory.team === void 0 || memory.team === null;
  const reach2 = useResource(isAsked ? at.reach(memory.workspace_id) : void 0);
  if (!reach2.data) return null;
  const readers = reach2.data.read_by.filter((row) => row.scope === memory.scope && row.workspace_id !== workspace.id);
  if (readers.length === 0) return /* @__PURE__ */ a3("p", { class: "quiet", children: words.why.nobodyElse });
  const shown2 = readers.slice(0, 12);
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("h4", { children: words.why.others(readers.length) }),
    /* @__PURE__ */ a3("ul", { class: "readers", children: [
      shown2.map((row) => /* @__PURE__ */ a3("li", { title: row.reason, children: /* @__PURE__ */ a3(Link, { to: workspacePath(row.workspace_id), children: /* @__PURE__ */ a3("bdi", { children: row.name }) }) }, row.workspace_id)),
      readers.length > shown2.length && /* @__PURE__ */ a3("li", { children: /* @__PURE__ */ a3(Link, { to: workspacePath(memory.workspace_id, "reach"), children: words.why.more(readers.length - shown2.length) }) })
    ] })
  ] });
}

// src/drawer/drawer.tsx
function Drawer({ me, workspace, id, query: query2, onClose }) {
  const memory = useResource(at.memory(workspace.id, id));
  const ref = T2(null);
  A2(() => ref.current?.focus({ preventScroll: true }), []);
  const stays = memory.data !== void 0 && (memory.failure === void 0 || memory.failure.isPassing);
  return /* @__PURE__ */ a3("aside", { class: "drawer", ref, tabIndex: -1, "aria-label": words.memory.title, children: [
    /* @__PURE__ */ a3("header", { children: [
      /* @__PURE__ */ a3("h2", { children: words.memory.title }),
      memory.data && !memory.failure && /* @__PURE__ */ a3(Copy, { text: memory.data.content, label: words.memory.copy }),
      /* @__PURE__ */ a3(IconButton, { label: words.close, onClick: onClose, children: /* @__PURE__ */ a3(Cross, {}) })
    ] }),
    memory.failure && !stays && /* @__PURE__ */ a3(Absent, { workspace, id, failure: memory.failure }),
    !memory.data && !memory.failure && /* @__PURE__ */ a3(Waiting, { rows: 4 }),
    memory.data && stays && /* @__PURE__ */ a3(Whole, { me, workspace, memory: memory.data, query: query2 })
  ] });
}
function Whole({ me, workspace, memory, query: query2 }) {
  const [doing, begin] = d2();
  const end2 = () => begin(void 0);
  const { can } = memory;
  const canEdit = can?.edit === true;
  useKeys({
    "e": () => canEdit && doing === void 0 ? begin("edit") : false,
    "r": () => can?.redact === true && doing === void 0 ? begin("redact") : false
  });
  return /* @__PURE__ */ a3("div", { class: "drawer-body", children: [
    /* @__PURE__ */ a3("p", { class: "drawer-facts", children: [
      /* @__PURE__ */ a3(ScopeChip, { scope: memory.scope }),
      memory.pin && /* @__PURE__ */ a3("span", { class: "pinned", children: [
        /* @__PURE__ */ a3(Pin, {}),
        words.memory.pinned
      ] }),
      /* @__PURE__ */ a3("span", { class: "fact", children: memory.kind }),
      /* @__PURE__ */ a3("span", { class: "fact", children: memory.namespace }),
      /* @__PURE__ */ a3("span", { class: "fact", children: words.memory.confidenceOf(memory.confidence) })
    ] }),
    doing === "edit" ? /* @__PURE__ */ a3(Edit, { workspace, memory, onDone: end2 }) : /* @__PURE__ */ a3($, { children: [
      /* @__PURE__ */ a3("p", { class: "content", children: /* @__PURE__ */ a3(Content, { text: memory.content, query: query2 }) }),
      /* @__PURE__ */ a3(Actions, { me, workspace, memory, begin })
    ] }),
    doing === "file" && /* @__PURE__ */ a3(Filing, { workspace, memory, onDone: end2 }),
    doing === "redact" && /* @__PURE__ */ a3(Redact, { workspace, memory, onClose: end2 }),
    doing === "forget" && /* @__PURE__ */ a3(Forget, { workspace, memory, onClose: end2 }),
    memory.tags.length > 0 && /* @__PURE__ */ a3("ul", { class: "tags", "aria-label": words.memory.tags, children: memory.tags.map((tag) => /* @__PURE__ */ a3("li", { children: /* @__PURE__ */ a3(Link, { to: `${workspacePath(workspace.id)}?tag=${encodeURIComponent(tag)}`, children: /* @__PURE__ */ a3("bdi", { children: [
      "#",
      tag
    ] }) }) }, tag)) }),
    /* @__PURE__ */ a3(Why, { workspace, memory, query: query2 }),
    /* @__PURE__ */ a3(Provenance, { workspace, memory }),
    /* @__PURE__ */ a3(History, { workspace, memory, canEdit }),
    may(me, "read_access_log") && /* @__PURE__ */ a3(Access, { workspace, id: memory.id }),
    /* @__PURE__ */ a3(Facts, { workspace, memory })
  ] });
}
function Actions({ me, workspace, memory, begin }) {
  const { can } = memory;
  if (!can) return null;
  const no = can.why_not ?? {};
  const whys = /* @__PURE__ */ new Set();
  const offered = (action, isAllowed, why) => {
    if (!may(me, action)) return false;
    if (!isAllowed && why) whys.add(why);
    return isAllowed;
  };
  const canEdit = offered("write_memories", can.edit, no.edit);
  const canRedact = offered("redact_memories", can.redact, no.redact);
  const canForget = offered("forget_memories", can.delete, no.delete);
  if (!canEdit && !canRedact && !canForget && whys.size === 0) return null;
  return /* @__PURE__ */ a3("div", { class: "actions", children: [
    canEdit && /* @__PURE__ */ a3(Button, { onClick: () => begin("edit"), children: words.edit.do }),
    canEdit && /* @__PURE__ */ a3(Button, { onClick: () => void file(workspace, memory, { pin: !memory.pin }, { pin: memory.pin }), children: memory.pin ? words.filing.unpin : words.filing.pin }),
    canEdit && /* @__PURE__ */ a3(Button, { onClick: () => begin("file"), children: words.filing.do }),
    canRedact && /* @__PURE__ */ a3(Button, { onClick: () => begin("redact"), children: words.redact.ask }),
    canForget && /* @__PURE__ */ a3(Button, { onClick: () => begin("forget"), children: words.forget.ask }),
    [...whys].map((why) => /* @__PURE__ */ a3("p", { class: "quiet", children: /* @__PURE__ */ a3("bdi", { children: sentence(why) }) }, why))
  ] });
}
function Provenance({ workspace, memory }) {
  const rows2 = [
    [
      words.memory.author,
      /* @__PURE__ */ a3(Link, { to: workspacePath(memory.workspace_id), children: /* @__PURE__ */ a3("bdi", { children: memory.workspace_name }) })
    ],
    [words.memory.source, words.memory.sourceOf(memory.source, memory.role)],
    [words.memory.written, /* @__PURE__ */ a3(Time, { at: memory.created_at })]
  ];
  if (memory.version > 1) {
    rows2.push([words.memory.changed, /* @__PURE__ */ a3($, { children: [
      words.memory.version(memory.version),
      ", ",
      /* @__PURE__ */ a3(Time, { at: memory.updated_at })
    ] })]);
  }
  if (memory.expires_at) rows2.push([words.memory.expires, /* @__PURE__ */ a3(Time, { at: memory.expires_at })]);
  if (memory.subject) rows2.push([words.memory.subject, /* @__PURE__ */ a3(Filtered, { workspace, name: "subject", value: memory.subject })]);
  if (memory.session_id) {
    rows2.push([words.memory.session, /* @__PURE__ */ a3(Filtered, { workspace, name: "session_id", value: memory.session_id })]);
  }
  if (memory.run_id) rows2.push([words.memory.run, /* @__PURE__ */ a3(Filtered, { workspace, name: "run_id", value: memory.run_id })]);
  if (memory.supersedes) {
    rows2.push([words.memory.supersedes, /* @__PURE__ */ a3(Link, { to: pathWith({ m: memory.supersedes }), children: memory.supersedes })]);
  }
  return /* @__PURE__ */ a3("details", { open: true, children: [
    /* @__PURE__ */ a3("summary", { children: /* @__PURE__ */ a3("h3", { children: words.memory.provenance }) }),
    /* @__PURE__ */ a3("dl", { class: "facts-list", children: rows2.map(([name, value]) => /* @__PURE__ */ a3("div", { children: [
      /* @__PURE__ */ a3("dt", { children: name }),
      /* @__PURE__ */ a3("dd", { children: value })
    ] }, name)) })
  ] });
}
function Filtered({ workspace, name, value }) {
  return /* @__PURE__ */ a3(Link, { to: `${workspacePath(workspace.id)}?${name}=${encodeURIComponent(value)}`, children: /* @__PURE__ */ a3("bdi", { children: value }) });
}
function Facts({ workspace, memory }) {
  const root = new URL(at.memory(workspace.id, memory.id).slice(1), new URL("..", document.baseURI)).href;
  return /* @__PURE__ */ a3("details", { children: [
    /* @__PURE__ */ a3("summary", { children: /* @__PURE__ */ a3("h3", { children: words.memory.facts }) }),
    /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3(Id, { id: memory.id }) }),
    /* @__PURE__ */ a3(Snippet, { text: JSON.stringify(memory, null, 2), label: words.memory.json }),
    /* @__PURE__ */ a3(Snippet, { text: `curl -H "Authorization: Bearer $ORGMEM_TOKEN" ${root}`, label: words.memory.curl })
  ] });
}

// src/parts/typed.ts
var PAUSE_MS = 150;
function useTyped(text2) {
  const [settled, set2] = d2(text2);
  A2(() => {
    if (text2 === settled) return;
    const timer = setTimeout(() => set2(text2), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text2, settled]);
  return settled;
}

// src/parts/search-text.ts
function useSearchText() {
  const { query: query2 } = useRoute();
  const inAddress = query2.get("q") ?? "";
  const [text2, setText] = d2(inAddress);
  const typed = useTyped(text2.trim());
  const put = T2(inAddress);
  A2(() => {
    if (put.current === typed) return;
    put.current = typed;
    goWith({ q: typed }, { replace: true });
  }, [typed]);
  A2(() => {
    if (put.current === inAddress) return;
    put.current = inAddress;
    setText(inAddress);
  }, [inAddress]);
  return { text: text2, setText, typed };
}

// src/memories/arrivals.ts
var NONE2 = /* @__PURE__ */ new Set();
var NOTHING3 = { count: 0, isMore: false };
function useArrivals(path, rows2) {
  const [news, setNews] = d2(NOTHING3);
  const [gone, setGone] = d2(NONE2);
  const shown2 = T2(rows2);
  shown2.current = rows2;
  A2(() => {
    setNews(NOTHING3);
    let calling;
    const look = async () => {
      calling?.abort();
      calling = new AbortController();
      try {
        const { data, next } = await api(path, { signal: calling.signal });
        const count2 = arrived(data, shown2.current ?? []);
        setNews({ count: count2, isMore: count2 === data.length && next !== void 0 });
      } catch (error) {
        if (!isAbort(error)) setNews(NOTHING3);
      }
    };
    const end2 = whenMemoriesChange((those) => {
      if (those.size > 0) setGone((known) => /* @__PURE__ */ new Set([...known, ...those]));
      void look();
    });
    return () => {
      end2();
      calling?.abort();
    };
  }, [path]);
  A2(() => setNews(NOTHING3), [rows2]);
  return { ...news, gone, apply: () => refresh(path) };
}
function arrived(found, rows2) {
  const known = new Set(rows2.map((row) => row.id));
  const newest = Math.max(0, ...rows2.map((row) => Date.parse(row.created_at)));
  return found.filter((memory) => !known.has(memory.id) && Date.parse(memory.created_at) >= newest).length;
}

// src/memories/bulk.tsx
var SHOWN2 = 5;
function Bulk({ workspace, memories: memories3, can, isRedacting, redact, select }) {
  const [isTagging, tag] = d2(false);
  return /* @__PURE__ */ a3("div", { class: "bulk", role: "group", "aria-label": words.redact.selected(memories3.length), children: [
    /* @__PURE__ */ a3("span", { role: "status", children: words.redact.selected(memories3.length) }),
    /* @__PURE__ */ a3(Button, { kind: "quiet", onClick: () => select(/* @__PURE__ */ new Set()), children: words.redact.clear }),
    can.tag && /* @__PURE__ */ a3(Button, { onClick: () => tag(true), children: words.tagging.ask }),
    can.redact && /* @__PURE__ */ a3(Button, { onClick: () => redact(true), children: words.redact.ask }),
    isTagging && /* @__PURE__ */ a3(TagMany, { workspace, memories: memories3, onClose: () => tag(false), select }),
    isRedacting && /* @__PURE__ */ a3(RedactMany, { workspace, memories: memories3, onClose: () => redact(false), select })
  ] });
}
function RedactMany({ workspace, memories: memories3, onClose, select }) {
  const [refused2, setRefused] = d2([]);
  const redact = async (reason) => {
    const ids = memories3.map((memory) => memory.id);
    const { data } = await redactMemories(workspace.id, { memories: ids, reason });
    const left2 = data.items.flatMap((item, index) => refusedOf(item, memories3[index]));
    select(new Set(left2.map(({ memory }) => memory.id)));
    setRefused(left2);
    if (data.redacted > 0) say(words.redact.done(data.redacted));
    workspaceChanged(workspace.id);
    treeChanged();
    return left2.length === 0;
  };
  return /* @__PURE__ */ a3(Redaction, { count: memories3.length, redact, onClose, children: [
    /* @__PURE__ */ a3(FirstWords, { memories: memories3 }),
    /* @__PURE__ */ a3("p", { children: words.redact.many(memories3.length) }),
    /* @__PURE__ */ a3(RefusedOnes, { refused: refused2 })
  ] });
}
function TagMany({ workspace, memories: memories3, onClose, select }) {
  const [more, setMore] = d2("");
  const [less, setLess] = d2("");
  const [refused2, setRefused] = d2([]);
  const [adds, drops] = [tagsOf(more), tagsOf(less)];
  const tag = async () => {
    const done = [];
    const left2 = [];
    for (const memory of memories3) {
      const tags = [.../* @__PURE__ */ new Set([...memory.tags, ...adds])].filter((each) => !drops.includes(each));
      try {
        const { data } = await editMemory(workspace.id, memory.id, { tags }, memory.version);
        done.push({ memory, version: data.version });
      } catch (error) {
        const failure = asFailure(error);
        if (failure.isPassing) throw failure;
        left2.push({ memory, why: failure.message });
      }
    }
    const undo = async () => {
      const back = done.map(({ memory, version }) => editMemory(workspace.id, memory.id, { tags: memory.tags }, version));
      const failed = (await Promise.allSettled(back)).find((each) => each.status === "rejected");
      if (failed) say(sentenceOf(asFailure(failed.reason)));
      workspaceChanged(workspace.id);
    };
    select(new Set(left2.map(({ memory }) => memory.id)));
    setRefused(left2);
    if (done.length > 0) say(words.tagging.done(done.length), { label: words.filing.undo, run: () => void undo() });
    workspaceChanged(workspace.id);
    return left2.length === 0;
  };
  const isAsked = adds.length > 0 || drops.length > 0;
  const { title, add, takeAway } = words.tagging;
  return /* @__PURE__ */ a3(
    Confirm,
    {
      title: title(memories3.length),
      kind: "first",
      label: isAsked ? words.tagging.do(memories3.length) : void 0,
      act: tag,
      onClose,
      children: [
        /* @__PURE__ */ a3(FirstWords, { memories: memories3 }),
        /* @__PURE__ */ a3("div", { class: "columns", children: [
          /* @__PURE__ */ a3(Field, { label: add, hint: words.filing.tagsHint, children: (attributes) => /* @__PURE__ */ a3("input", { ...attributes, type: "text", value: more, onInput: (event) => setMore(event.currentTarget.value) }) }),
          /* @__PURE__ */ a3(Field, { label: takeAway, hint: words.filing.tagsHint, children: (attributes) => /* @__PURE__ */ a3("input", { ...attributes, type: "text", value: less, onInput: (event) => setLess(event.currentTarget.value) }) })
        ] }),
        /* @__PURE__ */ a3(RefusedOnes, { refused: refused2 })
      ]
    }
  );
}
var tagsOf = (typed) => typed.split(",").map((tag) => tag.trim()).filter(Boolean);
function FirstWords({ memories: memories3 }) {
  return /* @__PURE__ */ a3("ul", { class: "first-lines many", children: [
    memories3.slice(0, SHOWN2).map((memory) => /* @__PURE__ */ a3("li", { children: /* @__PURE__ */ a3(Content, { text: memory.content.slice(0, 120) }) }, memory.id)),
    memories3.length > SHOWN2 && /* @__PURE__ */ a3("li", { class: "quiet", children: words.access.more(memories3.length - SHOWN2) })
  ] });
}
function RefusedOnes({ refused: refused2 }) {
  if (refused2.length === 0) return null;
  return /* @__PURE__ */ a3("div", { class: "notice", role: "alert", children: [
    /* @__PURE__ */ a3("p", { children: words.redact.refused(refused2.length) }),
    /* @__PURE__ */ a3("ul", { children: refused2.map(({ memory, why }) => /* @__PURE__ */ a3("li", { children: [
      /* @__PURE__ */ a3("bdi", { children: memory.content.slice(0, 60) }),
      " – ",
      /* @__PURE__ */ a3("bdi", { children: sentence(why) })
    ] }, memory.id)) })
  ] });
}
function refusedOf(item, memory) {
  return memory && "refused" in item ? [{ memory, why: item.refused.detail }] : [];
}

// src/memories/filters.ts
var FILTERS = [
  "namespace",
  "kind",
  "source",
  "tag",
  "author",
  "subject",
  "session_id",
  "run_id",
  "since",
  "until",
  "min_confidence"
];
var SOURCES = ["agent", "user", "tool", "eval", "manual", "runtime", "processor"];
var SCOPES = ["LOCAL", "TEAM", "GLOBAL"];
var isAsAgent = (query2) => query2.get("eyes") === "agent";
function asked(query2, text2) {
  const names = [...FILTERS, "scope", "mode", "order"];
  const given = names.map((name) => [name, query2.get(name) ?? void 0]);
  const quoted = isAsAgent(query2) ? "true" : void 0;
  const explain = text2 === "" ? void 0 : quoted;
  return { ...Object.fromEntries(given), q: text2 === "" ? void 0 : text2, quoted, explain };
}
function inForce(query2, nameOf3) {
  const given = FILTERS.map((name) => [name, query2.get(name)]);
  return given.flatMap(([name, value]) => value === null ? [] : [[name, said2(name, value, nameOf3)]]);
}
function said2(name, value, nameOf3) {
  switch (name) {
    case "author":
      return words.filters.said.author(nameOf3(value));
    case "since":
    case "until":
      return words.filters.said[name](short(value));
    default:
      return words.filters.said[name](value);
  }
}
function read2(name, typed) {
  const text2 = typed.trim();
  if (name !== "since" && name !== "until") return text2 === "" ? void 0 : text2;
  const instant = new Date(text2);
  return Number.isNaN(instant.getTime()) ? void 0 : instant.toISOString();
}

// src/memories/mode.tsx
var TRIAL = { mode: "semantic", limit: 1, profile_id: "00000000-0000-0000-0000-000000000000" };
function ModeMenu({ workspace }) {
  const { query: query2 } = useRoute();
  const mode = query2.get("mode") ?? "";
  const [isNear, setNear] = d2(mode !== "");
  const { failure } = useResource(isNear ? at.memories(workspace, TRIAL) : void 0);
  const why = failure?.problem.code === "not_configured" ? sentenceOf(failure) : void 0;
  const { title, byWords, byMeaning } = words.modes;
  return /* @__PURE__ */ a3(
    "select",
    {
      "aria-label": title,
      title: why ?? title,
      value: mode,
      onPointerEnter: () => setNear(true),
      onFocus: () => setNear(true),
      onChange: (event) => goWith({ mode: event.currentTarget.value }, { replace: true }),
      children: [
        byWords.map(([each, label]) => /* @__PURE__ */ a3("option", { value: each, selected: each === mode, children: label }, each)),
        /* @__PURE__ */ a3("optgroup", { label: why ?? words.modes.meaning, disabled: why !== void 0, children: byMeaning.map(([each, label]) => /* @__PURE__ */ a3("option", { value: each, selected: each === mode, children: label }, each)) })
      ]
    }
  );
}

// src/memories/rows.ts
var ROWS = "[data-row]";
function moveFocus(list, step, more = () => {
}) {
  const rows2 = [...list?.querySelectorAll(ROWS) ?? []];
  const place2 = rows2.findIndex((row) => row === document.activeElement || row.classList.contains("open"));
  const focused = rows2.findIndex((row) => row === document.activeElement);
  const from = focused >= 0 ? focused : place2;
  const target = rows2[from < 0 ? 0 : from + step];
  if (!target) return step > 0 ? more() : void 0;
  target.focus();
  target.scrollIntoView({ block: "nearest" });
}
function focusRow(list, id) {
  if (id !== void 0) list?.querySelector(`[data-row="${CSS.escape(id)}"]`)?.focus();
}
function intoList(go2) {
  return (event) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    go2();
  };
}

// src/memories/filter-bar.tsx
function FilterBar({ workspace, text: text2, onText, field, onDown, nameOf: nameOf3, canWrite, canBeAgent, countPath }) {
  const { query: query2 } = useRoute();
  const scope = query2.get("scope") ?? void 0;
  const filters = inForce(query2, nameOf3);
  const [isCurious, setCurious] = d2(false);
  const counts = isCurious || filters.length > 0 || scope !== void 0 || text2 !== "";
  return /* @__PURE__ */ a3("div", { class: "filter-bar", children: [
    /* @__PURE__ */ a3("div", { class: "filter-line", children: [
      /* @__PURE__ */ a3("div", { class: `search ${text2 === "" ? "" : "with-mode"}`, children: [
        /* @__PURE__ */ a3("label", { children: [
          /* @__PURE__ */ a3(Glass, {}),
          /* @__PURE__ */ a3(
            "input",
            {
              ref: field,
              type: "search",
              placeholder: words.memories.search,
              "aria-label": words.memories.search,
              spellcheck: false,
              value: text2,
              onInput: (event) => onText(event.currentTarget.value),
              onKeyDown: intoList(onDown)
            }
          )
        ] }),
        text2 !== "" && /* @__PURE__ */ a3(ModeMenu, { workspace })
      ] }),
      /* @__PURE__ */ a3(
        "div",
        {
          class: "segments scopes",
          role: "group",
          "aria-label": words.memories.scope,
          onPointerEnter: () => setCurious(true),
          onFocusCapture: () => setCurious(true),
          children: [void 0, ...SCOPES].map((each) => /* @__PURE__ */ a3(ScopeButton, { scope: each, current: scope, countPath: each === void 0 || counts ? countPath(each) : void 0 }, each ?? ""))
        }
      ),
      /* @__PURE__ */ a3(
        Select,
        {
          label: words.memories.order,
          value: query2.get("order") ?? "",
          options: text2 === "" ? words.memories.listOrders : words.memories.searchOrders,
          onChange: (order) => goWith({ order }, { replace: true })
        }
      ),
      /* @__PURE__ */ a3(AddFilter, {}),
      canBeAgent && /* @__PURE__ */ a3(
        "button",
        {
          type: "button",
          class: "button",
          "aria-pressed": isAsAgent(query2),
          title: words.received.what,
          onClick: () => goWith({ eyes: isAsAgent(query2) ? void 0 : "agent" }, { replace: true }),
          children: words.received.do
        }
      ),
      canWrite && /* @__PURE__ */ a3(Button, { kind: "first", class: "write", onClick: () => goWith({ write: "1" }), children: [
        /* @__PURE__ */ a3(Plus, {}),
        words.write.do
      ] })
    ] }),
    filters.length > 0 && /* @__PURE__ */ a3("ul", { class: "chips", "aria-label": words.filters.title, children: filters.map(([name, sentence2]) => /* @__PURE__ */ a3("li", { children: /* @__PURE__ */ a3(Chip, { onRemove: () => goWith({ [name]: void 0 }, { replace: true }), children: /* @__PURE__ */ a3("bdi", { children: sentence2 }) }) }, name)) })
  ] });
}
function ScopeButton({ scope, current: current4, countPath }) {
  const count2 = useResource(countPath).data?.count;
  return /* @__PURE__ */ a3(
    "button",
    {
      type: "button",
      class: scope ? `as-scope ${scope.toLowerCase()}` : "",
      "aria-pressed": scope === current4,
      onClick: () => goWith({ scope }, { replace: true }),
      children: [
        scope && /* @__PURE__ */ a3(ScopeSign, { scope }),
        scope ?? words.memories.allScopes,
        /* @__PURE__ */ a3("span", { class: "segment-count", children: count2 ?? "" })
      ]
    }
  );
}
function AddFilter() {
  const menu = T2(null);
  const button = T2(null);
  const [name, setName] = d2("namespace");
  const [value, setValue] = d2("");
  const [fault, setFault] = d2();
  const add = (event) => {
    event.preventDefault();
    const given = read2(name, name === "source" && value === "" ? SOURCES[0] : value);
    if (given === void 0) return setFault(words.filters.missing);
    goWith({ [name]: given }, { replace: true });
    setValue("");
    setFault(void 0);
    menu.current?.hidePopover();
  };
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("button", { type: "button", class: "button", popovertarget: "add-filter", ref: button, children: [
      /* @__PURE__ */ a3(Plus, {}),
      words.filters.add
    ] }),
    /* @__PURE__ */ a3("div", { id: "add-filter", class: "menu", popover: "auto", ref: menu, onBeforeToggle: () => placeBelow(menu.current, button.current), children: /* @__PURE__ */ a3("form", { onSubmit: add, children: [
      /* @__PURE__ */ a3(Field, { label: words.filters.which, children: ({ id }) => /* @__PURE__ */ a3(
        Select,
        {
          id,
          value: name,
          options: FILTERS.map((each) => [each, words.filters.names[each]]),
          onChange: (each) => {
            setName(each);
            setValue("");
            setFault(void 0);
          }
        }
      ) }),
      /* @__PURE__ */ a3(Field, { label: words.filters.value, hint: words.filters.hints[name], fault, children: (attributes) => /* @__PURE__ */ a3(ValueField, { attributes, name, value, onChange: setValue }) }),
      /* @__PURE__ */ a3(Button, { kind: "first", type: "submit", children: words.filters.add })
    ] }) })
  ] });
}
function placeBelow(menu, button) {
  const place2 = button?.getBoundingClientRect();
  if (!menu || !place2) return;
  menu.style.top = `${place2.bottom + 4}px`;
  menu.style.left = `${Math.max(8, Math.min(place2.left, innerWidth - 288))}px`;
}
function ValueField({ attributes, name, value, onChange }) {
  if (name === "source") {
    return /* @__PURE__ */ a3(Select, { ...attributes, value, options: SOURCES.map((each) => [each, each]), onChange });
  }
  const given = { ...attributes, value, onInput: (event) => onChange(event.currentTarget.value) };
  if (name === "since" || name === "until") return /* @__PURE__ */ a3("input", { ...given, type: "datetime-local" });
  if (name === "min_confidence") return /* @__PURE__ */ a3("input", { ...given, type: "number", min: 0, max: 1, step: 0.05 });
  return /* @__PURE__ */ a3("input", { ...given, type: "text", spellcheck: false });
}

// src/parts/score.tsx
function Score({ score, parts: parts2 }) {
  return /* @__PURE__ */ a3("details", { class: "score", children: [
    /* @__PURE__ */ a3("summary", { children: words.score.of(score) }),
    /* @__PURE__ */ a3(ScoreParts, { parts: parts2 })
  ] });
}
function Similarity({ value }) {
  return /* @__PURE__ */ a3("span", { title: words.score.similarityWhat, children: words.score.similarity(value) });
}
function ScoreParts({ parts: parts2 }) {
  if (parts2.length === 0) return null;
  return /* @__PURE__ */ a3("table", { class: "score-parts", "aria-label": words.score.parts, children: /* @__PURE__ */ a3("tbody", { children: parts2.map(({ part, value }) => /* @__PURE__ */ a3("tr", { children: [
    /* @__PURE__ */ a3("th", { scope: "row", children: words.score.names[part] }),
    /* @__PURE__ */ a3("td", { class: "number", children: value.toFixed(3) })
  ] }, part)) }) });
}

// src/memories/received.tsx
function ReceivedRow({ memory, place: place2, isOpen }) {
  const { score, via, explanation, similarity_score: similarity } = memory;
  return /* @__PURE__ */ a3("li", { children: [
    /* @__PURE__ */ a3(
      Link,
      {
        to: pathWith({ m: memory.id }),
        class: `memory ${isOpen ? "open" : ""}`,
        "aria-current": isOpen ? "page" : void 0,
        "data-row": memory.id,
        children: [
          /* @__PURE__ */ a3("span", { class: "place", children: place2 }),
          /* @__PURE__ */ a3("span", { class: "received-text", children: /* @__PURE__ */ a3("bdi", { children: memory.content }) })
        ]
      }
    ),
    /* @__PURE__ */ a3("p", { class: "memory-facts", children: [
      /* @__PURE__ */ a3(ScopeChip, { scope: memory.scope }),
      /* @__PURE__ */ a3("span", { children: words.received.via[via] }),
      /* @__PURE__ */ a3(Copy, { text: memory.content, label: words.received.copy }),
      similarity !== void 0 && similarity !== null && /* @__PURE__ */ a3(Similarity, { value: similarity }),
      score !== void 0 && score !== null && /* @__PURE__ */ a3(Score, { score, parts: explanation?.parts ?? [] })
    ] })
  ] });
}

// src/memories/row.tsx
var SHOWN3 = 400;
function MemoryRow({ memory, query: query2, isOpen, isSelected, onSelect }) {
  const now = useNow();
  const author = memory.via === "self" ? void 0 : memory.workspace_name;
  const facts = [memory.kind, memory.namespace, ...memory.tags.slice(0, 3).map((tag) => `#${tag}`)];
  return /* @__PURE__ */ a3("li", { class: isSelected ? "selected" : "", children: [
    onSelect && /* @__PURE__ */ a3(
      "input",
      {
        type: "checkbox",
        class: "select-row",
        tabIndex: -1,
        "aria-label": words.memories.select,
        checked: isSelected,
        onChange: onSelect
      }
    ),
    /* @__PURE__ */ a3(
      Link,
      {
        to: pathWith({ m: memory.id }),
        class: `memory ${isOpen ? "open" : ""}`,
        "aria-current": isOpen ? "page" : void 0,
        "data-row": memory.id,
        children: [
          /* @__PURE__ */ a3("span", { class: "memory-text", children: /* @__PURE__ */ a3(Content, { text: memory.content.slice(0, SHOWN3), query: query2 }) }),
          /* @__PURE__ */ a3("span", { class: "memory-facts", children: [
            /* @__PURE__ */ a3(ScopeChip, { scope: memory.scope, of: author }),
            memory.pin && /* @__PURE__ */ a3("span", { class: "pinned", children: [
              /* @__PURE__ */ a3(Pin, {}),
              words.memory.pinned
            ] }),
            facts.map((fact, index) => /* @__PURE__ */ a3("span", { class: "fact", children: /* @__PURE__ */ a3("bdi", { children: fact }) }, `${index} ${fact}`)),
            memory.similarity_score !== void 0 && memory.similarity_score !== null && /* @__PURE__ */ a3(Similarity, { value: memory.similarity_score }),
            memory.expires_at && /* @__PURE__ */ a3("span", { class: "expires", children: words.memory.expiresIn(distance(now, Date.parse(memory.expires_at))) })
          ] }),
          /* @__PURE__ */ a3("span", { class: "memory-side", children: [
            /* @__PURE__ */ a3(Time, { at: memory.created_at, brief: true }),
            /* @__PURE__ */ a3("span", { class: "confidence", title: words.memory.confidence, children: memory.confidence.toFixed(2) })
          ] })
        ]
      }
    )
  ] });
}

// src/memories/audience.ts
function audience(reach2, scope) {
  const readers = reach2.read_by.filter((row) => row.scope === scope && row.via !== "self");
  if (readers.length === 0) return words.audience.alone;
  const by = (via) => readers.filter((row) => row.via === via);
  if (by("org").length > 0) return words.audience.org(readers.length);
  const parts2 = [
    ...by("child").map((row) => words.audience.parent(row.name)),
    named(by("sibling"), words.audience.siblings),
    named(by("parent"), words.audience.children)
  ];
  return words.audience.list(parts2.filter(Boolean));
}
function named(rows2, counted) {
  if (rows2.length > 2) return counted(rows2.length);
  return rows2.map((row) => row.name).join(", ");
}

// src/memories/write.tsx
var FIELDS = ["content", "scope", "namespace", "kind", "confidence", "tags", "ttl_seconds"];
function Write({ workspace, onClose }) {
  const [content, setContent] = d2("");
  const [scope, setScope] = d2("LOCAL");
  const [namespace, setNamespace] = d2("");
  const [kind, setKind] = d2("");
  const [tags, setTags] = d2("");
  const [confidence, setConfidence] = d2("");
  const [ttl, setTtl] = d2("");
  const [failure, setFailure] = d2();
  const [isBusy, setBusy] = d2(false);
  const submit = async (event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const memory = {
      content,
      scope,
      tags: tags.split(",").map((tag) => tag.trim()).filter(Boolean),
      ...namespace.trim() === "" ? {} : { namespace: namespace.trim() },
      ...kind.trim() === "" ? {} : { kind: kind.trim() },
      ...confidence === "" ? {} : { confidence: Number(confidence) },
      ...ttl === "" ? {} : { ttl_seconds: Number(ttl) }
    };
    try {
      const { data } = await commitMemory(workspace.id, memory);
      say(saved(data));
      workspaceChanged(workspace.id);
      treeChanged();
      goWith({ write: void 0, m: data.id });
    } catch (error) {
      setFailure(asFailure(error));
      setBusy(false);
    }
  };
  const other = failure && !FIELDS.some((field) => faultOf(failure, field) !== void 0);
  return /* @__PURE__ */ a3(Dialog, { title: words.write.title(workspace.name), onClose, children: /* @__PURE__ */ a3(
    "form",
    {
      onSubmit: (event) => void submit(event),
      onKeyDown: (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void submit(event);
      },
      children: [
        /* @__PURE__ */ a3(Field, { label: words.write.content, fault: faultOf(failure, "content"), children: (attributes) => /* @__PURE__ */ a3(
          "textarea",
          {
            ...attributes,
            rows: 6,
            autofocus: true,
            required: true,
            value: content,
            onInput: (event) => setContent(event.currentTarget.value)
          }
        ) }),
        /* @__PURE__ */ a3(ScopeChoice, { workspace, value: scope, onChange: setScope }),
        /* @__PURE__ */ a3("div", { class: "columns", children: [
          /* @__PURE__ */ a3(TextField, { name: "namespace", value: namespace, onChange: setNamespace, failure, placeholder: "general" }),
          /* @__PURE__ */ a3(TextField, { name: "kind", value: kind, onChange: setKind, failure, placeholder: "fact" }),
          /* @__PURE__ */ a3(TextField, { name: "tags", value: tags, onChange: setTags, failure, placeholder: words.write.tagsExample }),
          /* @__PURE__ */ a3(Field, { label: words.write.fields.confidence, fault: faultOf(failure, "confidence"), children: (attributes) => /* @__PURE__ */ a3(
            "input",
            {
              ...attributes,
              type: "number",
              min: 0,
              max: 1,
              step: 0.05,
              placeholder: "0.5",
              value: confidence,
              onInput: (event) => setConfidence(event.currentTarget.value)
            }
          ) }),
          /* @__PURE__ */ a3(Field, { label: words.write.expiry, fault: faultOf(failure, "ttl_seconds"), children: ({ id }) => /* @__PURE__ */ a3(Select, { id, value: ttl, options: words.lifetimes, onChange: setTtl }) })
        ] }),
        other && /* @__PURE__ */ a3("p", { class: "fault", role: "alert", children: sentenceOf(failure) }),
        /* @__PURE__ */ a3("footer", { children: [
          /* @__PURE__ */ a3(Button, { onClick: onClose, children: words.cancel }),
          /* @__PURE__ */ a3(Button, { kind: "first", type: "submit", isBusy, children: words.write.do })
        ] })
      ]
    }
  ) });
}
function TextField({ name, value, onChange, failure, placeholder }) {
  return /* @__PURE__ */ a3(Field, { label: words.write.fields[name], fault: faultOf(failure, name), children: (attributes) => /* @__PURE__ */ a3(
    "input",
    {
      ...attributes,
      type: "text",
      placeholder,
      value,
      onInput: (event) => onChange(event.currentTarget.value)
    }
  ) });
}
function ScopeChoice({ workspace, value, onChange }) {
  const reach2 = useResource(at.reach(workspace.id)).data;
  const itself = useResource(at.relation(workspace.id, workspace.id)).data;
  return /* @__PURE__ */ a3("fieldset", { class: "scope-choice", children: [
    /* @__PURE__ */ a3("legend", { children: words.write.scope }),
    SCOPES.map((scope) => {
      const row = itself?.rows.find((each) => each.scope === scope);
      const isRefused = row?.read_by === false;
      return /* @__PURE__ */ a3("label", { class: `choice ${scope.toLowerCase()} ${isRefused ? "refused-choice" : ""}`, children: [
        /* @__PURE__ */ a3(
          "input",
          {
            type: "radio",
            name: "scope",
            checked: value === scope,
            disabled: isRefused,
            onChange: () => onChange(scope)
          }
        ),
        /* @__PURE__ */ a3("span", { class: `scope ${scope.toLowerCase()}`, children: [
          /* @__PURE__ */ a3(ScopeSign, { scope }),
          scope
        ] }),
        /* @__PURE__ */ a3("span", { class: "choice-text", children: /* @__PURE__ */ a3("bdi", { children: isRefused ? row.read_by_reason : reach2 ? audience(reach2, scope) : "" }) })
      ] }, scope);
    })
  ] });
}
function saved(memory) {
  const replaced = memory.redactions.map((each) => words.write.replaced(each.count, each.kind));
  return replaced.length === 0 ? words.write.saved : `${words.write.saved} ${words.write.scrubbed(replaced.join(", "))}`;
}

// src/memories/memories.tsx
function Memories({ me, workspace }) {
  const { query: query2 } = useRoute();
  const list = T2(null);
  const field = T2(null);
  const { text: text2, setText, typed } = useSearchText();
  const wanted = asked(query2, typed);
  const path = at.memories(workspace.id, wanted);
  const pages = usePages(path);
  const arrivals = useArrivals(path, pages.isStale ? void 0 : pages.rows);
  const rows2 = pages.rows?.filter((memory) => !arrivals.gone.has(memory.id));
  const [selected, select] = d2(NONE3);
  const [isRedacting, redact] = d2(false);
  const canRedact = may(me, "redact_memories");
  const canWrite = may(me, "write_memories");
  const asAgent = isAsAgent(query2);
  const areReceived = T2(asAgent);
  if (!pages.isStale) areReceived.current = asAgent;
  const canSelect = (canRedact || canWrite) && !asAgent;
  A2(() => select(NONE3), [workspace.id, path]);
  const pick = (isTo) => {
    const id = document.activeElement?.dataset.row ?? open2;
    if (!canSelect || id === void 0 || !rows2?.some((memory) => memory.id === id)) return false;
    return select(isTo ? upTo(rows2, selected, id) : toggled(selected, id));
  };
  const open2 = query2.get("m") ?? void 0;
  const close = () => {
    goWith({ m: void 0 });
    focusRow(list.current, open2);
  };
  useKeys({
    "x": () => pick(false),
    "Shift+x": () => pick(true),
    ".": () => arrivals.count > 0 ? arrivals.apply() : false,
    "r": () => selected.size > 0 && canRedact ? redact(true) : false,
    "/": () => field.current?.select(),
    "j": () => moveFocus(list.current, 1, pages.more),
    "ArrowDown": () => moveFocus(list.current, 1, pages.more),
    "k": () => moveFocus(list.current, -1),
    "ArrowUp": () => moveFocus(list.current, -1),
    "o": () => document.activeElement?.click(),
    "w": () => canWrite ? goWith({ write: "1" }) : false,
    "y": () => open2 === void 0 ? false : void copy(open2),
    "Escape": () => {
      if (open2 !== void 0) return close();
      if (selected.size > 0) return select(NONE3);
      if (text2 === "" && !FILTERS.some((name) => query2.has(name))) return false;
      setText("");
      goWith(withoutFilters(), { replace: true });
    }
  });
  const names = new Map(rows2?.map((memory) => [memory.workspace_id, memory.workspace_name]));
  const nameOf3 = (id) => id === workspace.id ? workspace.name : names.get(id) ?? id;
  return /* @__PURE__ */ a3("div", { class: `with-drawer ${open2 === void 0 ? "" : "drawn"}`, children: [
    /* @__PURE__ */ a3("section", { class: "list", "aria-label": words.tabs.memories, children: [
      /* @__PURE__ */ a3("div", { class: "list-head", children: /* @__PURE__ */ a3(
        FilterBar,
        {
          workspace: workspace.id,
          text: text2,
          onText: setText,
          field,
          onDown: () => moveFocus(list.current, 1),
          canBeAgent: me.role !== "agent",
          nameOf: nameOf3,
          canWrite,
          countPath: (scope) => rows2 ? counting(workspace.id, { ...wanted, scope }) : void 0
        }
      ) }),
      selected.size > 0 && /* @__PURE__ */ a3(
        Bulk,
        {
          workspace,
          memories: rows2?.filter((memory) => selected.has(memory.id)) ?? [],
          can: { redact: canRedact, tag: canWrite },
          isRedacting,
          redact,
          select
        }
      ),
      arrivals.count > 0 && /* @__PURE__ */ a3("button", { type: "button", class: "arrivals", onClick: arrivals.apply, children: [
        words.live.arrived(arrivals.count, arrivals.isMore),
        " ",
        /* @__PURE__ */ a3("kbd", { children: "." })
      ] }),
      /* @__PURE__ */ a3("span", { class: "unseen", role: "status", children: arrivals.count > 0 ? words.live.announced(arrivals.count, arrivals.isMore) : "" }),
      /* @__PURE__ */ a3("div", { class: `rows ${pages.isStale ? "stale" : ""}`, "aria-busy": pages.isLoading, children: [
        /* @__PURE__ */ a3("span", { class: "unseen", role: "status", children: rows2 && !pages.isLoading && typed !== "" ? words.memories.shown(rows2.length, pages.hasMore) : "" }),
        pages.failure && /* @__PURE__ */ a3(Refused, { failure: pages.failure }),
        !rows2 && !pages.failure && /* @__PURE__ */ a3(Waiting, {}),
        rows2?.length === 0 && !pages.isStale && /* @__PURE__ */ a3(Nothing, { workspace, nameOf: nameOf3, canWrite, wanted }),
        rows2 && rows2.length > 0 && /* @__PURE__ */ a3("ul", { class: `memories ${selected.size > 0 ? "selecting" : ""} ${areReceived.current ? "received" : ""}`, ref: list, children: rows2.map(
          (memory, index) => areReceived.current ? /* @__PURE__ */ a3(
            ReceivedRow,
            {
              memory,
              place: index + 1,
              isOpen: memory.id === open2
            },
            memory.id
          ) : /* @__PURE__ */ a3(
            MemoryRow,
            {
              memory,
              query: typed,
              isOpen: memory.id === open2,
              isSelected: selected.has(memory.id),
              onSelect: canSelect ? () => select(toggled(selected, memory.id)) : void 0
            },
            memory.id
          )
        ) }),
        rows2 && rows2.length > 0 && typed !== "" && !pages.isStale && !isEmbedded && /* @__PURE__ */ a3("p", { class: "quiet missing", children: /* @__PURE__ */ a3(Link, { to: `${workspacePath(workspace.id, "reach")}?${new URLSearchParams({ ask: "", q: typed })}`, children: words.ask.missing }) }),
        pages.hasMore && /* @__PURE__ */ a3(Button, { kind: "quiet", class: "more", isBusy: pages.isLoading, onClick: pages.more, children: words.more })
      ] })
    ] }),
    open2 !== void 0 && /* @__PURE__ */ a3(Drawer, { me, workspace, id: open2, query: typed, onClose: close }, open2),
    query2.has("write") && canWrite && /* @__PURE__ */ a3(Write, { workspace, onClose: () => goWith({ write: void 0 }) })
  ] });
}
var NONE3 = /* @__PURE__ */ new Set();
function toggled(selected, id) {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}
function upTo(rows2, selected, id) {
  const ids = rows2.map((memory) => memory.id);
  const last = [...selected].at(-1);
  const [from, to] = [last === void 0 ? ids.indexOf(id) : ids.indexOf(last), ids.indexOf(id)];
  return /* @__PURE__ */ new Set([...selected, ...ids.slice(Math.min(from, to), Math.max(from, to) + 1)]);
}
function counting(workspace, { order, quoted, explain, ...filters }) {
  return at.count(workspace, filters);
}
function Nothing({ workspace, nameOf: nameOf3, canWrite, wanted }) {
  const { query: query2 } = useRoute();
  const filters = inForce(query2, nameOf3);
  const isNarrowed2 = filters.length > 0 || query2.has("q") || query2.has("scope");
  if (!isNarrowed2) {
    return /* @__PURE__ */ a3(Empty, { title: words.memories.none(workspace.name), children: [
      /* @__PURE__ */ a3("p", { children: words.memories.how }),
      /* @__PURE__ */ a3(Snippet, { text: 'commit_memory({ "content": "…", "scope": "TEAM" })', label: words.memories.how }),
      canWrite && /* @__PURE__ */ a3(Button, { onClick: () => goWith({ write: "1" }), children: words.write.do })
    ] });
  }
  const scope = query2.get("scope");
  const q2 = query2.get("q");
  const all = [
    ...scope === null ? [] : [["scope", scope]],
    ...filters,
    ...q2 === null ? [] : [["q", `“${q2}”`]]
  ];
  return /* @__PURE__ */ a3(Empty, { title: words.memories.nothingMatches, children: /* @__PURE__ */ a3("ul", { class: "take-away", children: all.map(([name, sentence2]) => /* @__PURE__ */ a3("li", { children: /* @__PURE__ */ a3(Without, { workspace, wanted, name, sentence: sentence2 }) }, name)) }) });
}
function Without({ workspace, wanted, name, sentence: sentence2 }) {
  const count2 = useResource(counting(workspace.id, { ...wanted, [name]: void 0 })).data?.count;
  return /* @__PURE__ */ a3(Button, { onClick: () => goWith({ [name]: void 0 }), children: [
    words.filters.without(sentence2),
    /* @__PURE__ */ a3("span", { class: "number", children: count2 ?? words.unknown })
  ] });
}
function withoutFilters() {
  return Object.fromEntries([...FILTERS, "q", "scope"].map((name) => [name, void 0]));
}

// src/embed/page.tsx
function Embedded() {
  const { place: place2 } = useRoute();
  const id = place2.at === "workspace" ? place2.id : "";
  useTitle(words.tabs.memories);
  if (parent === window) return /* @__PURE__ */ a3(ByItself, { id });
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3(Ended, {}),
    /* @__PURE__ */ a3(Tab, { id }),
    /* @__PURE__ */ a3(Toasts, {})
  ] });
}
function Tab({ id }) {
  const me = useResource(at.me);
  const workspace = useResource(at.workspace(id));
  const live = useLive(workspace.data && at.events(id));
  const failure = me.failure ?? workspace.failure;
  const isThere = me.data !== void 0 && workspace.data !== void 0;
  return /* @__PURE__ */ a3("main", { id: "main", class: "work of-list embedded", tabIndex: -1, children: [
    /* @__PURE__ */ a3("h1", { class: isThere ? "unseen" : "", children: /* @__PURE__ */ a3("bdi", { children: workspace.data ? words.embed.title(workspace.data.name) : words.tabs.memories }) }),
    live === "waiting" && /* @__PURE__ */ a3(Mark, { state: live }),
    !isThere && failure && /* @__PURE__ */ a3(Refused, { failure }),
    !isThere && !failure && /* @__PURE__ */ a3(Waiting, {}),
    me.data && workspace.data && /* @__PURE__ */ a3(Memories, { me: me.data, workspace: workspace.data })
  ] });
}
function Ended() {
  const [, redraw] = d2(0);
  const ref = T2(null);
  A2(
    () => handed.listen(() => {
      if (handed.isThere) everythingChanged();
      redraw((count2) => count2 + 1);
    }),
    []
  );
  const { isThere, said: said4 } = handed;
  A2(() => void ref.current?.togglePopover(said4 !== void 0), [said4]);
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("p", { class: "handing", role: "alert", popover: "manual", ref, children: said4 !== void 0 && /* @__PURE__ */ a3("bdi", { children: words.embed.ended(sentence(said4)) }) }),
    !isThere && said4 === void 0 && /* @__PURE__ */ a3("p", { class: "handing-first", children: words.embed.waiting })
  ] });
}
function ByItself({ id }) {
  return /* @__PURE__ */ a3("main", { id: "main", class: "alone", children: [
    /* @__PURE__ */ a3("img", { src: "icon.svg", alt: "", width: "40", height: "40" }),
    /* @__PURE__ */ a3("h1", { children: words.embed.alone }),
    /* @__PURE__ */ a3("p", { children: words.embed.how }),
    FRAMERS?.length === 0 && /* @__PURE__ */ a3("p", { class: "notice", children: words.embed.nobody }),
    /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3("a", { href: new URL(`w/${id}/memories`, CONSOLE).href, children: words.embed.inConsole }) })
  ] });
}

// src/audit/place.tsx
function Audit({ me }) {
  useTitle(words.access.audit);
  const own = me.workspace_id ?? void 0;
  const tree = useResource(own === void 0 ? at.orgs : void 0);
  const orgs = tree.data?.orgs;
  const only = own ?? (orgs?.length === 1 ? orgs[0]?.org_id : void 0);
  A2(() => {
    if (only !== void 0) go(workspacePath(only, "access"), { replace: true });
  }, [only]);
  return /* @__PURE__ */ a3("main", { id: "main", class: "work", tabIndex: -1, children: [
    /* @__PURE__ */ a3("h1", { children: words.access.audit }),
    tree.failure && /* @__PURE__ */ a3(Refused, { failure: tree.failure }),
    !orgs && !tree.failure && /* @__PURE__ */ a3(Waiting, { rows: 3, height: 32 }),
    orgs && orgs.length !== 1 && /* @__PURE__ */ a3($, { children: [
      /* @__PURE__ */ a3("p", { children: words.access.which }),
      /* @__PURE__ */ a3("ul", { class: "orgs", children: orgs.map((org) => /* @__PURE__ */ a3("li", { children: /* @__PURE__ */ a3(Link, { to: workspacePath(org.org_id, "access"), children: /* @__PURE__ */ a3("bdi", { children: org.name }) }) }, org.org_id)) })
    ] })
  ] });
}

// src/places/import.tsx
var YAML = "application/yaml";
function Import({ onClose }) {
  const [text2, setText] = d2("");
  const [answer, setAnswer] = d2();
  const change = (now) => {
    setText(now);
    setAnswer(void 0);
  };
  const act = async () => {
    const { data } = await importOrg(text2, YAML, answer === void 0);
    if (answer !== void 0) return arrived2(data);
    setAnswer(data);
    return false;
  };
  const { title, check, what, file: file2, hint } = words.import;
  return /* @__PURE__ */ a3(
    Confirm,
    {
      title,
      kind: "first",
      label: text2.trim() === "" ? void 0 : answer ? words.import.do(answer.workspaces_created) : check,
      act,
      onClose,
      children: [
        /* @__PURE__ */ a3(Field, { label: file2, children: (attributes) => /* @__PURE__ */ a3(
          "input",
          {
            ...attributes,
            type: "file",
            accept: ".yaml,.yml,.json",
            onChange: (event) => void event.currentTarget.files?.[0]?.text().then(change)
          }
        ) }),
        /* @__PURE__ */ a3(Field, { label: what, hint, children: (attributes) => /* @__PURE__ */ a3(
          "textarea",
          {
            ...attributes,
            class: "code",
            rows: 10,
            spellcheck: false,
            placeholder: words.import.example,
            value: text2,
            onInput: (event) => change(event.currentTarget.value)
          }
        ) }),
        answer && /* @__PURE__ */ a3(Preview, { answer })
      ]
    }
  );
}
function Preview({ answer }) {
  const rows2 = [
    [words.system.workspaces, answer.workspaces_created, answer.workspaces_kept],
    [words.system.memories, answer.memories_committed, answer.memories_kept],
    [words.system.entries, answer.entries_put, void 0],
    [words.system.episodes, answer.episodes_appended, void 0]
  ];
  return /* @__PURE__ */ a3("table", { class: "table import-preview", role: "status", "aria-label": words.import.would, children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: words.import.would }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: words.import.isNew }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: words.import.kept })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: rows2.map(([name, added, kept]) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: name }),
      /* @__PURE__ */ a3("td", { class: "number", children: added }),
      /* @__PURE__ */ a3("td", { class: "number", children: kept ?? words.unknown })
    ] }, name)) })
  ] });
}
async function loadDemo() {
  const { data } = await api(at.demo);
  arrived2((await importOrg(JSON.stringify(data), "application/json", false)).data);
}
function arrived2(answer) {
  say(words.import.done(answer.workspaces_created, answer.memories_committed));
  treeChanged();
  go(workspacePath(answer.org_id));
}

// src/places/new-workspace.tsx
function NewWorkspace({ title, onClose, create }) {
  const [name, setName] = d2("");
  const [role, setRole] = d2("");
  const [failure, setFailure] = d2();
  const [isBusy, setBusy] = d2(false);
  const submit = async (event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      const { data } = await create(name, role.trim());
      treeChanged();
      onClose();
      go(workspacePath(data.id));
    } catch (error) {
      setFailure(asFailure(error));
      setBusy(false);
    }
  };
  const nameFault = faultOf(failure, "name");
  const roleFault = faultOf(failure, "role");
  return /* @__PURE__ */ a3(Dialog, { title, size: "narrow", onClose, children: /* @__PURE__ */ a3("form", { onSubmit: (event) => void submit(event), children: [
    /* @__PURE__ */ a3(Field, { label: words.workspace.name, fault: nameFault, children: (attributes) => /* @__PURE__ */ a3(
      "input",
      {
        ...attributes,
        type: "text",
        autofocus: true,
        required: true,
        maxLength: 200,
        value: name,
        onInput: (event) => setName(event.currentTarget.value)
      }
    ) }),
    /* @__PURE__ */ a3(Field, { label: words.workspace.role, hint: words.workspace.roleHint, fault: roleFault, children: (attributes) => /* @__PURE__ */ a3("input", { ...attributes, type: "text", value: role, onInput: (event) => setRole(event.currentTarget.value) }) }),
    failure && !nameFault && !roleFault && /* @__PURE__ */ a3("p", { class: "fault", role: "alert", children: sentenceOf(failure) }),
    /* @__PURE__ */ a3("footer", { children: [
      /* @__PURE__ */ a3(Button, { onClick: onClose, children: words.cancel }),
      /* @__PURE__ */ a3(Button, { kind: "first", type: "submit", isBusy, children: title })
    ] })
  ] }) });
}

// src/places/home.tsx
function Home({ me }) {
  const own = me.workspace_id ?? void 0;
  A2(() => {
    if (own !== void 0) go(workspacePath(own), { replace: true });
  }, [own]);
  return own === void 0 ? /* @__PURE__ */ a3(Orgs, { me }) : /* @__PURE__ */ a3("main", { id: "main", class: "work", tabIndex: -1 });
}
function Orgs({ me }) {
  useTitle(words.orgs.title);
  const tree = useResource(at.orgs);
  const [doing, begin] = d2();
  const [failure, setFailure] = d2();
  const [isLoading, setLoading] = d2(false);
  const end2 = () => begin(void 0);
  const demo = async () => {
    setLoading(true);
    setFailure(void 0);
    try {
      await loadDemo();
    } catch (error) {
      setFailure(asFailure(error));
    } finally {
      setLoading(false);
    }
  };
  const orgs = tree.data?.orgs;
  return /* @__PURE__ */ a3("main", { id: "main", class: "work", tabIndex: -1, children: [
    /* @__PURE__ */ a3("div", { class: "work-head", children: [
      /* @__PURE__ */ a3("h1", { children: words.orgs.title }),
      may(me, "import_org") && /* @__PURE__ */ a3(Button, { onClick: () => begin("import"), children: words.import.ask }),
      may(me, "create_org") && /* @__PURE__ */ a3(Button, { onClick: () => begin("create"), children: words.orgs.create })
    ] }),
    tree.failure && /* @__PURE__ */ a3(Refused, { failure: tree.failure }),
    !orgs && !tree.failure && /* @__PURE__ */ a3(Waiting, { rows: 3, height: 44 }),
    orgs?.length === 0 && /* @__PURE__ */ a3(Empty, { title: words.orgs.none, children: [
      /* @__PURE__ */ a3("p", { children: words.orgs.how }),
      may(me, "import_org") && /* @__PURE__ */ a3($, { children: [
        /* @__PURE__ */ a3(Button, { kind: "first", isBusy: isLoading, onClick: () => void demo(), children: words.orgs.demo }),
        /* @__PURE__ */ a3(Fault, { failure }),
        /* @__PURE__ */ a3("p", { class: "quiet", children: words.orgs.demoWhat })
      ] })
    ] }),
    orgs && orgs.length > 0 && /* @__PURE__ */ a3(OrgTable, { orgs }),
    doing === "import" && /* @__PURE__ */ a3(Import, { onClose: end2 }),
    doing === "create" && /* @__PURE__ */ a3(
      NewWorkspace,
      {
        title: words.orgs.create,
        onClose: end2,
        create: (name, role) => createWorkspace({ name, ...role === "" ? {} : { role } })
      }
    )
  ] });
}
function OrgTable({ orgs }) {
  return /* @__PURE__ */ a3("div", { class: "scroll", children: /* @__PURE__ */ a3("table", { class: "table", children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: words.orgs.name }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: words.system.workspaces }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "LOCAL" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "TEAM" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "GLOBAL" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: words.orgs.created })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: orgs.map((org) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: /* @__PURE__ */ a3(Link, { to: workspacePath(org.org_id), children: /* @__PURE__ */ a3("bdi", { children: org.name }) }) }),
      /* @__PURE__ */ a3("td", { class: "number", children: org.workspaces }),
      /* @__PURE__ */ a3("td", { class: "number", children: org.memories.local }),
      /* @__PURE__ */ a3("td", { class: "number", children: org.memories.team }),
      /* @__PURE__ */ a3("td", { class: "number", children: org.memories.global }),
      /* @__PURE__ */ a3("td", { children: /* @__PURE__ */ a3(Time, { at: org.created_at }) })
    ] }, org.org_id)) })
  ] }) });
}

// src/places/nowhere.tsx
function Nowhere() {
  useTitle(words.nowhere.title);
  return /* @__PURE__ */ a3("main", { id: "main", class: "work", tabIndex: -1, children: [
    /* @__PURE__ */ a3("h1", { children: words.nowhere.title }),
    /* @__PURE__ */ a3(Empty, { title: words.nowhere.why, children: /* @__PURE__ */ a3(Link, { to: "./", children: words.nowhere.home }) })
  ] });
}

// src/places/system.tsx
var NUMBER = new Intl.NumberFormat();
function System() {
  useTitle(words.system.title);
  const stats = useResource(at.stats);
  const ready = useResource(at.ready);
  const version = useResource(at.version);
  const [asked2, setAsked] = d2(false);
  const { embedder } = stats.data ?? {};
  const perSecond = useRate(embedder ?? void 0, stats.at);
  const again = () => {
    setAsked(true);
    refresh(at.stats);
    refresh(at.ready);
  };
  return /* @__PURE__ */ a3("main", { id: "main", class: "work", tabIndex: -1, children: [
    /* @__PURE__ */ a3("div", { class: "work-head", children: [
      /* @__PURE__ */ a3("h1", { children: words.system.title }),
      /* @__PURE__ */ a3(Button, { onClick: again, children: words.again })
    ] }),
    /* @__PURE__ */ a3("p", { class: `ready ${ready.failure ? "bad" : ""}`, role: asked2 ? "status" : void 0, children: readiness(ready) }),
    embedder?.failing && /* @__PURE__ */ a3("p", { class: "notice", role: "status", children: [
      /* @__PURE__ */ a3("bdi", { children: words.system.failing(embedder.failing) }),
      " ",
      /* @__PURE__ */ a3("bdi", { children: words.system.failingAct(embedder.name) })
    ] }),
    stats.failure && /* @__PURE__ */ a3(Refused, { failure: stats.failure }),
    !stats.data && !stats.failure && /* @__PURE__ */ a3(Waiting, { rows: 6, height: 32 }),
    stats.data && /* @__PURE__ */ a3(Numbers, { stats: stats.data, at: stats.at, version: version.data, perSecond })
  ] });
}
var LOOK_MS = 2e3;
function useRate(embedder, answered2) {
  const last = T2(void 0);
  const [perSecond, set2] = d2(0);
  A2(() => {
    if (!embedder || answered2 === void 0) return;
    const before = last.current;
    last.current = { embedded: embedder.embedded, at: answered2 };
    if (before && answered2 > before.at) set2((embedder.embedded - before.embedded) * 1e3 / (answered2 - before.at));
    if (embedder.waiting === 0) return;
    const timer = setTimeout(() => !document.hidden && refresh(at.stats), LOOK_MS);
    return () => clearTimeout(timer);
  }, [answered2]);
  return perSecond;
}
function readiness(ready) {
  if (ready.failure) return words.system.notReady(ready.failure.message);
  return ready.data ? words.system.ready : words.system.asking;
}
function Numbers({ stats, at: answered2, version, perSecond }) {
  const { memories: memories3 } = stats;
  const rows2 = [
    [words.system.version, version?.version ?? stats.version],
    [words.system.store, words.system.stores[stats.store] ?? stats.store],
    [words.system.size, size(stats.size_bytes)],
    [words.system.orgs, NUMBER.format(stats.orgs)],
    [words.system.workspaces, NUMBER.format(stats.workspaces)],
    [words.system.memories, NUMBER.format(memories3.local + memories3.team + memories3.global)],
    ["LOCAL", NUMBER.format(memories3.local)],
    ["TEAM", NUMBER.format(memories3.team)],
    ["GLOBAL", NUMBER.format(memories3.global)],
    [words.system.entries, NUMBER.format(stats.entries)],
    [words.system.episodes, NUMBER.format(stats.episodes)],
    ...embedding(stats.embedder, perSecond),
    [words.system.since, /* @__PURE__ */ a3(Time, { at: stats.started_at })]
  ];
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("table", { class: "facts", children: /* @__PURE__ */ a3("tbody", { children: rows2.map(([name, value]) => /* @__PURE__ */ a3("tr", { class: /^[A-Z]+$/.test(name) ? "part" : "", children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: name }),
      /* @__PURE__ */ a3("td", { children: value })
    ] }, name)) }) }),
    answered2 !== void 0 && /* @__PURE__ */ a3("p", { class: "quiet", children: [
      words.asOf,
      " ",
      /* @__PURE__ */ a3(Time, { at: new Date(answered2).toISOString() })
    ] })
  ] });
}
var COUNTED = 1e5;
function embedding(embedder, perSecond) {
  if (!embedder) return [[words.system.embedder, words.system.noEmbedder]];
  const { waiting, embedded, refused: refused2, failed } = embedder;
  const left2 = distance(0, waiting * 1e3 / perSecond);
  const isMore = waiting >= COUNTED;
  const count2 = isMore ? words.system.many(NUMBER.format(waiting)) : NUMBER.format(waiting);
  const queue = waiting === 0 || isMore ? count2 : words.system.queue(count2, perSecond, left2);
  return [
    [words.system.embedder, embedder.name],
    [words.system.waiting, queue],
    [words.system.embedded, NUMBER.format(embedded)],
    ...refused2 > 0 ? [[words.system.refused, NUMBER.format(refused2)]] : [],
    ...failed > 0 ? [[words.system.failed, NUMBER.format(failed)]] : []
  ];
}
var UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];
function size(bytes) {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 2 ** (10 * step);
  return `${value < 10 && step > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[step]}`;
}

// src/audit/chain.tsx
function Chain({ workspace }) {
  const [found, set2] = d2();
  const [failure, setFailure] = d2();
  const verify = async () => {
    setFailure(void 0);
    try {
      let rows2 = 0;
      let next;
      do {
        const answer = (await api(at.verify(workspace.org_id, next))).data;
        rows2 += answer.sealed_rows;
        next = answer.intact ? answer.next ?? void 0 : void 0;
        set2({ rows: rows2, answer, at: (/* @__PURE__ */ new Date()).toISOString(), isRunning: next !== void 0 });
      } while (next !== void 0);
    } catch (error) {
      setFailure(asFailure(error));
    }
  };
  const isBroken = found?.answer.intact === false;
  return /* @__PURE__ */ a3("div", { class: `chain ${isBroken ? "broken" : ""}`, children: [
    /* @__PURE__ */ a3("p", { role: "status", children: [
      /* @__PURE__ */ a3("bdi", { children: failure ? sentenceOf(failure) : told(found) }),
      " ",
      found && !found.isRunning && /* @__PURE__ */ a3("span", { class: "quiet", children: /* @__PURE__ */ a3(Time, { at: found.at }) })
    ] }),
    /* @__PURE__ */ a3(Button, { isBusy: found?.isRunning ?? false, onClick: () => void verify(), children: words.chain.verify })
  ] });
}
function told(found) {
  if (!found) return words.chain.what;
  const { rows: rows2, answer, isRunning } = found;
  if (!answer.intact) return `${words.chain.broken}: ${sentence(answer.fault ?? "")}`;
  if (isRunning) return words.chain.running(rows2);
  return `${words.chain.intact(rows2, answer.last_seq)}${words.chain.waiting(answer.waiting_rows)}`;
}

// src/audit/export.tsx
var PAGE = 500;
function Export({ workspace, asked: asked2 }) {
  const [count2, setCount] = d2();
  const run2 = async () => {
    const lines2 = [];
    try {
      let next = at.access(workspace.id, { ...asked2, limit: PAGE });
      while (next !== void 0) {
        setCount(lines2.length);
        const answer = await api(next);
        lines2.push(...answer.data.map((row) => `${JSON.stringify(row)}
`));
        next = answer.next;
      }
      save2(`access-log-${workspace.name}.jsonl`, lines2);
    } catch (error) {
      say(sentenceOf(asFailure(error)));
    } finally {
      setCount(void 0);
    }
  };
  return /* @__PURE__ */ a3(Button, { isBusy: count2 !== void 0, onClick: () => void run2(), children: count2 === void 0 ? words.access.export : words.access.exporting(count2) });
}
function save2(name, lines2) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(lines2, { type: "application/jsonl" }));
  link.download = name.replace(/[^\p{L}\p{N}.-]+/gu, "-");
  link.click();
  URL.revokeObjectURL(link.href);
}

// src/audit/rows.tsx
var NAMED2 = 3;
function AccessRows({ rows: rows2 }) {
  const { head } = words.access;
  return /* @__PURE__ */ a3("table", { class: "table accesses-table", children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: head.at }),
      /* @__PURE__ */ a3("th", { scope: "col", children: head.who }),
      /* @__PURE__ */ a3("th", { scope: "col", children: head.did }),
      /* @__PURE__ */ a3("th", { scope: "col", children: head.as }),
      /* @__PURE__ */ a3("th", { scope: "col", children: head.memories }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: head.seal })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: rows2.map((row) => /* @__PURE__ */ a3(Row, { row }, row.seq)) })
  ] });
}
function Row({ row }) {
  return /* @__PURE__ */ a3("tr", { class: row.action === "redact_memory" ? "marked" : "", children: [
    /* @__PURE__ */ a3("td", { children: /* @__PURE__ */ a3(Time, { at: row.at, brief: true }) }),
    /* @__PURE__ */ a3("td", { class: "who-did", children: /* @__PURE__ */ a3(Link, { to: pathWith({ subject: row.subject }), title: row.subject, children: /* @__PURE__ */ a3("bdi", { children: row.subject }) }) }),
    /* @__PURE__ */ a3("td", { children: [
      words.access.did(row.action),
      /* @__PURE__ */ a3(Told, { context: row.context })
    ] }),
    /* @__PURE__ */ a3("td", { children: /* @__PURE__ */ a3(Link, { to: workspacePath(row.workspace_id, "access"), children: /* @__PURE__ */ a3("bdi", { children: nameOf(row.workspace_id) ?? `${row.workspace_id.slice(0, 8)}…` }) }) }),
    /* @__PURE__ */ a3("td", { children: [
      /* @__PURE__ */ a3(Memories2, { row }),
      row.run_id && /* @__PURE__ */ a3(Link, { to: pathWith({ run_id: row.run_id }), children: words.access.said.run_id(row.run_id) })
    ] }),
    /* @__PURE__ */ a3("td", { class: "number", title: row.sealed ? words.access.sealed : words.access.waiting, children: [
      row.seq,
      !row.sealed && /* @__PURE__ */ a3("span", { class: "quiet", children: [
        " ",
        words.access.waiting
      ] })
    ] })
  ] });
}
function Told({ context }) {
  const { reason } = context;
  if (typeof reason !== "string") return null;
  return /* @__PURE__ */ a3("span", { class: "reach-why", children: /* @__PURE__ */ a3("bdi", { children: reason }) });
}
function Memories2({ row }) {
  const { memories: memories3 } = row;
  if (memories3.length === 0) return null;
  return /* @__PURE__ */ a3("span", { class: "named", children: [
    memories3.slice(0, NAMED2).map(({ id }) => /* @__PURE__ */ a3(Link, { to: `${workspacePath(row.workspace_id)}?m=${id}`, title: id, children: /* @__PURE__ */ a3("code", { children: id.slice(-6) }) }, id)),
    memories3.length > NAMED2 && /* @__PURE__ */ a3("span", { class: "quiet", children: words.access.more(memories3.length - NAMED2) })
  ] });
}

// src/audit/log.tsx
var CHIPS = ["memory_id", "run_id", "since", "until"];
var PAGE2 = 100;
function AccessLog({ workspace }) {
  const { query: query2 } = useRoute();
  const [who, setWho] = d2(query2.get("subject") ?? "");
  const subject = useTyped(who.trim());
  const asked2 = askedOf(query2, subject);
  const pages = usePages(at.access(workspace.id, { ...asked2, limit: PAGE2 }));
  const chips = CHIPS.filter((name) => query2.has(name));
  const isBelow = query2.get("only") === null;
  return /* @__PURE__ */ a3("section", { class: "list", "aria-label": words.tabs.access, children: [
    /* @__PURE__ */ a3(Chain, { workspace }),
    /* @__PURE__ */ a3("div", { class: "list-head", children: /* @__PURE__ */ a3("div", { class: "filter-bar", children: [
      /* @__PURE__ */ a3("div", { class: "filter-line", children: [
        /* @__PURE__ */ a3("label", { class: "search", children: [
          /* @__PURE__ */ a3(Glass, {}),
          /* @__PURE__ */ a3(
            "input",
            {
              type: "search",
              placeholder: words.access.who,
              "aria-label": words.access.who,
              spellcheck: false,
              value: who,
              onInput: (event) => setWho(event.currentTarget.value)
            }
          )
        ] }),
        /* @__PURE__ */ a3(
          Select,
          {
            label: words.access.action,
            value: query2.get("action") ?? "",
            options: [["", words.access.all], ...actions],
            onChange: (action) => goWith({ action }, { replace: true })
          }
        ),
        /* @__PURE__ */ a3(
          Select,
          {
            label: words.access.time,
            value: "",
            options: [["", words.access.anyTime], ...words.access.times],
            onChange: (seconds2) => goWith({ since: ago(seconds2) }, { replace: true })
          }
        ),
        workspace.child_count > 0 && /* @__PURE__ */ a3("label", { class: "check", children: [
          /* @__PURE__ */ a3(
            "input",
            {
              type: "checkbox",
              checked: isBelow,
              onChange: (event) => goWith({ only: event.currentTarget.checked ? void 0 : "1" }, { replace: true })
            }
          ),
          words.access.below
        ] }),
        /* @__PURE__ */ a3(Export, { workspace, asked: asked2 })
      ] }),
      chips.length > 0 && /* @__PURE__ */ a3("ul", { class: "chips", "aria-label": words.filters.title, children: chips.map((name) => /* @__PURE__ */ a3("li", { children: /* @__PURE__ */ a3(Chip, { onRemove: () => goWith({ [name]: void 0 }, { replace: true }), children: /* @__PURE__ */ a3("bdi", { children: said3(name, query2.get(name) ?? "") }) }) }, name)) })
    ] }) }),
    /* @__PURE__ */ a3("div", { class: `rows ${pages.isStale ? "stale" : ""}`, "aria-busy": pages.isLoading, children: [
      pages.failure && /* @__PURE__ */ a3(Refused, { failure: pages.failure }),
      !pages.rows && !pages.failure && /* @__PURE__ */ a3(Waiting, { height: 32 }),
      pages.rows?.length === 0 && !pages.isStale && !pages.hasMore && /* @__PURE__ */ a3(Empty, { title: isNarrowed(asked2) ? words.access.nothingMatches : words.access.none(workspace.name), children: /* @__PURE__ */ a3("p", { children: words.access.how }) }),
      pages.rows && pages.rows.length > 0 && /* @__PURE__ */ a3(AccessRows, { rows: pages.rows }),
      pages.hasMore && /* @__PURE__ */ a3(Button, { kind: "quiet", class: "more", isBusy: pages.isLoading, onClick: pages.more, children: words.more })
    ] })
  ] });
}
function askedOf(query2, subject) {
  const given = ["action", ...CHIPS].map((name) => [name, query2.get(name) ?? void 0]);
  const below3 = query2.get("only") === null ? "true" : void 0;
  return { ...Object.fromEntries(given), subject: subject === "" ? void 0 : subject, subtree: below3 };
}
var isNarrowed = (asked2) => Object.entries(asked2).some(([name, value]) => name !== "subtree" && value !== void 0);
function said3(name, value) {
  return words.access.said[name](name === "since" || name === "until" ? short(value) : value);
}
function ago(seconds2) {
  return seconds2 === "" ? void 0 : new Date(Date.now() - Number(seconds2) * 1e3).toISOString();
}

// src/profiles/context.tsx
function ContextPreview({ workspace, profile }) {
  const [query2, setQuery] = d2("");
  const [context, setContext] = d2();
  const [failure, setFailure] = d2();
  const [isBusy, setBusy] = d2(false);
  const show2 = async (event) => {
    event.preventDefault();
    if (isBusy || !profile) return;
    setBusy(true);
    setFailure(void 0);
    const given = query2.trim() === "" ? {} : { query: query2.trim() };
    try {
      setContext((await injectContext(workspace.id, { profile_id: profile.id, ...given })).data);
    } catch (error) {
      setFailure(asFailure(error));
    } finally {
      setBusy(false);
    }
  };
  const { title, what, ask } = words.context;
  if (!profile) {
    return /* @__PURE__ */ a3("section", { class: "context", children: [
      /* @__PURE__ */ a3("h2", { children: title }),
      /* @__PURE__ */ a3("p", { class: "quiet", children: words.context.notYet })
    ] });
  }
  return /* @__PURE__ */ a3("section", { class: "context", children: [
    /* @__PURE__ */ a3("h2", { children: title }),
    /* @__PURE__ */ a3("p", { class: "quiet", children: what }),
    /* @__PURE__ */ a3("form", { onSubmit: (event) => void show2(event), children: [
      /* @__PURE__ */ a3(Field, { label: words.context.query, hint: words.context.queryHint, children: (attributes) => /* @__PURE__ */ a3("input", { ...attributes, type: "text", value: query2, onInput: (event) => setQuery(event.currentTarget.value) }) }),
      /* @__PURE__ */ a3(Button, { type: "submit", isBusy, children: ask })
    ] }),
    /* @__PURE__ */ a3(Fault, { failure }),
    context && /* @__PURE__ */ a3(Block, { workspace, profile, context })
  ] });
}
function Block({ workspace, profile, context }) {
  const budget = profile.injection.token_budget ?? void 0;
  return /* @__PURE__ */ a3("div", { class: "context-block", role: "status", children: [
    /* @__PURE__ */ a3("h3", { children: words.context.size(context.entries.length, context.tokens, budget) }),
    context.block === "" ? /* @__PURE__ */ a3("p", { children: words.context.empty }) : /* @__PURE__ */ a3(Snippet, { text: context.block, label: words.context.block }),
    context.left_out.length > 0 && /* @__PURE__ */ a3($, { children: [
      /* @__PURE__ */ a3("h3", { children: words.context.leftOut(context.left_out.length) }),
      /* @__PURE__ */ a3("ul", { class: "left-out", children: context.left_out.map((each) => /* @__PURE__ */ a3(Left, { workspace, each }, each.memory_id)) })
    ] })
  ] });
}
var EXCERPT = 120;
function beginning(excerpt) {
  return [...excerpt].length < EXCERPT ? excerpt : `${excerpt}…`;
}
function Left({ workspace, each }) {
  return /* @__PURE__ */ a3("li", { children: [
    /* @__PURE__ */ a3(Link, { to: `${workspacePath(workspace.id)}?m=${each.memory_id}`, children: /* @__PURE__ */ a3(Content, { text: beginning(each.excerpt ?? each.memory_id) }) }),
    /* @__PURE__ */ a3("p", { class: "memory-facts", children: [
      /* @__PURE__ */ a3(ScopeChip, { scope: each.scope }),
      /* @__PURE__ */ a3("span", { class: "fact", children: /* @__PURE__ */ a3("bdi", { children: each.kind }) }),
      /* @__PURE__ */ a3("span", { children: words.memory.confidenceOf(each.confidence) })
    ] }),
    /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3("bdi", { children: sentence(each.reason) }) })
  ] });
}

// src/profiles/form.tsx
var text = (value) => value === null || value === void 0 ? "" : String(value);
function ageOf(seconds2) {
  if (seconds2 === null || seconds2 === void 0) return { age: "", ageIn: "86400" };
  const [unit] = words.profiles.ages.find(([each]) => seconds2 % Number(each) === 0) ?? ["1"];
  return { age: String(seconds2 / Number(unit)), ageIn: unit };
}
function typedOf(profile) {
  const { retention, injection } = profile ?? {};
  return {
    name: profile?.name ?? "",
    isDefault: profile?.is_default ?? false,
    isolation: profile?.isolation ?? "tree",
    ...ageOf(retention?.max_age_seconds),
    entries: text(retention?.max_entries),
    strategy: injection?.strategy ?? "confidence",
    limit: text(injection?.limit ?? 5),
    scopes: injection?.scopes ?? [],
    confidence: text(injection?.min_confidence),
    budget: text(injection?.token_budget),
    kinds: profile?.excluded_kinds.join(", ") ?? ""
  };
}
var number = (typed) => typed.trim() === "" ? null : Number(typed);
function seconds({ age, ageIn }) {
  const typed = number(age);
  return typed === null ? null : Math.round(typed * Number(ageIn));
}
function wantedOf(typed, profile) {
  return {
    name: typed.name,
    isolation: typed.isolation,
    retention: { max_age_seconds: seconds(typed), max_entries: number(typed.entries) },
    injection: {
      strategy: typed.strategy,
      limit: number(typed.limit) ?? 5,
      scopes: typed.scopes,
      min_confidence: number(typed.confidence),
      token_budget: number(typed.budget)
    },
    excluded_kinds: typed.kinds.split(",").map((kind) => kind.trim()).filter(Boolean),
    ...typed.isDefault && !profile?.is_default ? { is_default: true } : {}
  };
}
function ProfileForm({ workspace, profile, canManage, inForce: inForce2, onSaved }) {
  const [typed, set2] = d2(() => typedOf(profile));
  const [failure, setFailure] = d2();
  const [isBusy, setBusy] = d2(false);
  const change = (part) => set2({ ...typed, ...part });
  const [expiring, askAbout] = d2();
  const wanted = wantedOf(typed, profile);
  const told3 = JSON.stringify(wanted);
  const settled = useTyped(told3);
  const isChanged = told3 !== JSON.stringify(wantedOf(typedOf(profile), profile));
  const trial = useTrial(
    canManage && isChanged ? settled : void 0,
    (signal) => tryProfile(workspace.id, profile?.id, JSON.parse(settled), signal)
  );
  const keepsLess = wanted.retention.max_age_seconds !== null || wanted.retention.max_entries !== null;
  const save3 = async () => {
    const saving = profile ? patchProfile(workspace.id, profile.id, wanted) : createProfile(workspace.id, wanted);
    const { data } = await saving;
    set2(typedOf(data));
    say(words.profiles.saved(data.name));
    onSaved(data);
  };
  const submit = async (event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFailure(void 0);
    try {
      const now = keepsLess ? (await tryProfile(workspace.id, profile?.id, wanted)).data : void 0;
      if (now && now.expires > 0) askAbout(now);
      else await save3();
    } catch (error) {
      setFailure(asFailure(error));
    } finally {
      setBusy(false);
    }
  };
  const { labels, hints } = words.profiles;
  const field = (name, more = { type: "text" }) => /* @__PURE__ */ a3(Field, { label: labels[name], hint: hints[name], fault: faultOf(failure, FIELDS2[name]), children: (attributes) => /* @__PURE__ */ a3(
    "input",
    {
      ...attributes,
      ...more,
      readOnly: !canManage,
      value: typed[name],
      onInput: (event) => change({ [name]: event.currentTarget.value })
    }
  ) });
  const offered = (options, chosen) => canManage ? options : options.filter(([each]) => each === chosen);
  const isTold = Object.values(FIELDS2).some((name) => faultOf(failure, name) !== void 0);
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("form", { class: "profile-form", onSubmit: (event) => void submit(event), children: [
      field("name"),
      /* @__PURE__ */ a3("label", { class: "check", children: [
        /* @__PURE__ */ a3(
          "input",
          {
            type: "checkbox",
            checked: typed.isDefault,
            disabled: !canManage || profile?.is_default,
            onChange: (event) => change({ isDefault: event.currentTarget.checked })
          }
        ),
        labels.isDefault
      ] }),
      /* @__PURE__ */ a3("h2", { children: labels.reads }),
      /* @__PURE__ */ a3("fieldset", { class: "scope-choice", disabled: !canManage, children: [
        /* @__PURE__ */ a3("legend", { children: labels.isolation }),
        words.profiles.isolations.map(([each, does]) => /* @__PURE__ */ a3("label", { class: "choice-line", children: [
          /* @__PURE__ */ a3(
            "input",
            {
              type: "radio",
              name: "isolation",
              checked: typed.isolation === each,
              onChange: () => change({ isolation: each })
            }
          ),
          does
        ] }, each)),
        /* @__PURE__ */ a3("p", { class: "hint", role: "status", children: /* @__PURE__ */ a3(Effect, { isDefault: typed.isDefault, isolation: typed.isolation, inForce: inForce2, trial }) })
      ] }),
      field("kinds"),
      /* @__PURE__ */ a3("h2", { children: labels.keeps }),
      /* @__PURE__ */ a3("div", { class: "columns", children: [
        /* @__PURE__ */ a3(Field, { label: labels.age, hint: hints.age, fault: faultOf(failure, FIELDS2.age), children: (attributes) => /* @__PURE__ */ a3("div", { class: "with-unit", children: [
          /* @__PURE__ */ a3(
            "input",
            {
              ...attributes,
              type: "number",
              min: "0",
              step: "any",
              readOnly: !canManage,
              value: typed.age,
              onInput: (event) => change({ age: event.currentTarget.value })
            }
          ),
          /* @__PURE__ */ a3(
            Select,
            {
              label: labels.ageIn,
              value: typed.ageIn,
              options: offered(words.profiles.ages, typed.ageIn),
              onChange: (ageIn) => change({ ageIn })
            }
          )
        ] }) }),
        field("entries", { type: "number", min: 1 })
      ] }),
      /* @__PURE__ */ a3("p", { class: "hint", role: "status", children: isChanged && keepsLess && /* @__PURE__ */ a3(Expiring, { trial }) }),
      /* @__PURE__ */ a3("h2", { children: labels.injects }),
      /* @__PURE__ */ a3(Field, { label: labels.strategy, children: ({ id }) => /* @__PURE__ */ a3(
        Select,
        {
          id,
          value: typed.strategy,
          options: offered(words.profiles.strategies, typed.strategy),
          onChange: (strategy) => change({ strategy })
        }
      ) }),
      /* @__PURE__ */ a3("fieldset", { class: "scope-choice", disabled: !canManage, children: [
        /* @__PURE__ */ a3("legend", { children: labels.scopes }),
        /* @__PURE__ */ a3("div", { class: "checks", children: SCOPES.map((each) => /* @__PURE__ */ a3("label", { class: "check", children: [
          /* @__PURE__ */ a3(
            "input",
            {
              type: "checkbox",
              checked: typed.scopes.includes(each),
              onChange: () => change({
                scopes: SCOPES.filter((one) => one === each ? !typed.scopes.includes(one) : typed.scopes.includes(one))
              })
            }
          ),
          /* @__PURE__ */ a3(ScopeChip, { scope: each })
        ] }, each)) }),
        faultOf(failure, FIELDS2.scopes) ? /* @__PURE__ */ a3("p", { class: "fault", role: "alert", children: faultOf(failure, FIELDS2.scopes) }) : /* @__PURE__ */ a3("p", { class: "hint", children: hints.scopes })
      ] }),
      /* @__PURE__ */ a3("div", { class: "columns three", children: [
        field("limit", { type: "number", min: 1, max: 50 }),
        field("budget", { type: "number", min: 1 }),
        field("confidence", { type: "number", min: 0, max: 1, step: 0.05 })
      ] }),
      !isTold && /* @__PURE__ */ a3(Fault, { failure }),
      canManage && /* @__PURE__ */ a3("footer", { children: /* @__PURE__ */ a3(Button, { kind: "first", type: "submit", isBusy, children: profile ? words.profiles.save : words.profiles.create }) })
    ] }),
    expiring && /* @__PURE__ */ a3(
      Confirm,
      {
        title: words.profiles.expireTitle(typed.name),
        size: "narrow",
        label: words.profiles.expire(expiring.expires),
        act: save3,
        onClose: () => askAbout(void 0),
        children: [
          /* @__PURE__ */ a3("p", { children: words.profiles.expires(expiring) }),
          /* @__PURE__ */ a3("p", { children: words.profiles.expireWhat })
        ]
      }
    )
  ] });
}
function Effect({ isDefault, isolation, inForce: inForce2, trial }) {
  if (!isDefault) return /* @__PURE__ */ a3($, { children: words.profiles.ofItsBlock });
  const far = (each) => words.profiles.isolations.findIndex(([one]) => one === each);
  const { loses } = trial.data ?? {};
  const lost = loses && loses.local + loses.team + loses.global;
  const isNarrower = far(isolation) > far(inForce2);
  if (lost || isNarrower && lost === 0) return /* @__PURE__ */ a3("span", { class: "narrows", children: words.profiles.narrows(lost) });
  if (isNarrower) return /* @__PURE__ */ a3("span", { class: "narrows", children: words.profiles.narrowsUnknown });
  return /* @__PURE__ */ a3($, { children: isolation === inForce2 ? words.profiles.inForce : words.profiles.widens });
}
function Expiring({ trial }) {
  if (!trial.data) return /* @__PURE__ */ a3($, { children: words.profiles.expiresUnknown });
  return trial.data.expires > 0 ? /* @__PURE__ */ a3("span", { class: "narrows", children: words.profiles.expires(trial.data) }) : null;
}
var FIELDS2 = {
  name: "name",
  age: "retention.max_age_seconds",
  entries: "retention.max_entries",
  scopes: "injection.scopes",
  limit: "injection.limit",
  confidence: "injection.min_confidence",
  budget: "injection.token_budget",
  kinds: "excluded_kinds"
};

// src/profiles/profiles.tsx
function Profiles({ me, workspace }) {
  const { query: query2 } = useRoute();
  const profiles = useResource(at.profiles(workspace.id));
  const [isDeleting, ask] = d2(false);
  const canManage = may(me, "manage_profiles");
  const wanted = query2.get("profile");
  const isNew = wanted === "new" && canManage;
  const shown2 = profiles.data?.find(({ id }) => id === wanted) ?? profiles.data?.[0];
  const head = T2(null);
  const [isToFocus, focusShown] = d2(false);
  A2(() => {
    if (!isToFocus || isDeleting || isNew || wanted !== null && shown2?.id !== wanted) return;
    focusShown(false);
    head.current?.querySelector("[aria-pressed=true]")?.focus();
  });
  if (profiles.failure && !profiles.data) return /* @__PURE__ */ a3(Refused, { failure: profiles.failure });
  if (!profiles.data || !shown2) return /* @__PURE__ */ a3(Waiting, { rows: 6 });
  const open2 = (id) => goWith({ profile: id });
  const drop = async () => {
    await deleteProfile(workspace.id, shown2.id);
    say(words.profiles.deleted(shown2.name));
    goWith({ profile: void 0 }, { replace: true });
    profilesChanged(workspace.id);
    focusShown(true);
  };
  const saved2 = ({ id }) => {
    profilesChanged(workspace.id);
    if (isNew) focusShown(true);
    goWith({ profile: id }, { replace: true });
  };
  const inForce2 = profiles.data.find((each) => each.is_default)?.isolation ?? "tree";
  return /* @__PURE__ */ a3("div", { class: "profiles", children: [
    /* @__PURE__ */ a3("div", { class: "profiles-head", children: [
      /* @__PURE__ */ a3("div", { ref: head, class: "segments wrap", role: "group", "aria-label": words.tabs.profiles, children: [
        profiles.data.map(({ id, name, is_default }) => /* @__PURE__ */ a3("button", { type: "button", "aria-pressed": !isNew && id === shown2.id, onClick: () => open2(id), children: [
          /* @__PURE__ */ a3("bdi", { children: name }),
          is_default && name !== words.profiles.isDefault && /* @__PURE__ */ a3("span", { class: "default-mark", children: words.profiles.isDefault })
        ] }, id)),
        isNew && /* @__PURE__ */ a3("button", { type: "button", "aria-pressed": true, children: words.profiles.new })
      ] }),
      canManage && !isNew && /* @__PURE__ */ a3(Button, { onClick: () => open2("new"), children: words.profiles.add }),
      canManage && !isNew && !shown2.is_default && /* @__PURE__ */ a3(Button, { kind: "danger", onClick: () => ask(true), children: words.profiles.delete })
    ] }),
    /* @__PURE__ */ a3("div", { class: "profiles-columns", children: [
      /* @__PURE__ */ a3(
        ProfileForm,
        {
          workspace,
          profile: isNew ? void 0 : shown2,
          canManage,
          inForce: inForce2,
          onSaved: saved2
        },
        isNew ? "new" : shown2.id
      ),
      /* @__PURE__ */ a3(ContextPreview, { workspace, profile: isNew ? void 0 : shown2 }, isNew ? "new" : shown2.id)
    ] }),
    isDeleting && /* @__PURE__ */ a3(
      Confirm,
      {
        title: words.profiles.deleteTitle(shown2.name),
        size: "narrow",
        label: words.profiles.delete,
        act: drop,
        onClose: () => ask(false),
        children: /* @__PURE__ */ a3("p", { children: words.profiles.deleteWhat })
      }
    )
  ] });
}
function profilesChanged(workspace) {
  changed((path) => path.startsWith(at.workspace(workspace)));
}

// src/parts/ids.ts
var UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
var isId = (text2) => UUID.test(text2.trim());

// src/reach/ask.tsx
var SHOWN4 = 260;
function Ask({ workspace, memory, query: query2 }) {
  const [about, setAbout] = d2(memory);
  const [searched, setSearched] = d2(query2);
  const submit = (event) => {
    event.preventDefault();
    goWith({ ask: about.trim(), q: searched.trim() });
  };
  return /* @__PURE__ */ a3("section", { class: "ask", "aria-label": words.ask.title(workspace.name), children: [
    /* @__PURE__ */ a3("h2", { children: /* @__PURE__ */ a3("bdi", { children: words.ask.title(workspace.name) }) }),
    /* @__PURE__ */ a3("form", { onSubmit: submit, children: [
      /* @__PURE__ */ a3(Field, { label: words.ask.memory, hint: words.ask.memoryHint, children: (attributes) => /* @__PURE__ */ a3(
        "input",
        {
          ...attributes,
          type: "text",
          required: true,
          spellcheck: false,
          value: about,
          onInput: (event) => setAbout(event.currentTarget.value)
        }
      ) }),
      /* @__PURE__ */ a3(Field, { label: words.ask.query, hint: words.ask.queryHint, children: (attributes) => /* @__PURE__ */ a3(
        "input",
        {
          ...attributes,
          type: "text",
          spellcheck: false,
          value: searched,
          onInput: (event) => setSearched(event.currentTarget.value)
        }
      ) }),
      /* @__PURE__ */ a3(Button, { type: "submit", children: words.ask.do })
    ] }),
    memory !== "" && (isId(memory) ? /* @__PURE__ */ a3(Answered, { workspace, memory, query: query2 }) : /* @__PURE__ */ a3(Candidates, { workspace, text: memory, query: query2 }))
  ] });
}
function Answered({ workspace, memory, query: query2 }) {
  const why = useResource(at.why(workspace.id, memory, query2 === "" ? void 0 : query2));
  if (why.failure) return /* @__PURE__ */ a3(Refused, { failure: why.failure });
  if (!why.data) return /* @__PURE__ */ a3(Waiting, { rows: 2, height: 28 });
  const { cause, reason, readable, since, superseded_by: replacement, score, parts: parts2 } = why.data;
  return /* @__PURE__ */ a3("div", { class: "answered", role: "status", children: [
    /* @__PURE__ */ a3("p", { class: `cause ${cause === "found" ? "yes" : ""}`, children: words.causes[cause] }),
    /* @__PURE__ */ a3("p", { class: "sentence", children: [
      /* @__PURE__ */ a3("bdi", { children: sentence(reason) }),
      " ",
      since && /* @__PURE__ */ a3(Time, { at: since })
    ] }),
    /* @__PURE__ */ a3("p", { class: "answered-links", children: [
      readable && /* @__PURE__ */ a3(Link, { to: `${workspacePath(workspace.id)}?${new URLSearchParams({ m: memory, ...query2 === "" ? {} : { q: query2 } })}`, children: words.ask.open }),
      replacement && /* @__PURE__ */ a3(Link, { to: `${workspacePath(workspace.id, "reach")}?${new URLSearchParams({ ask: replacement, q: query2 })}`, children: words.ask.replacement }),
      /* @__PURE__ */ a3(Id, { id: memory }),
      score !== void 0 && score !== null && /* @__PURE__ */ a3("span", { class: "quiet", children: words.score.of(score) })
    ] }),
    /* @__PURE__ */ a3(ScoreParts, { parts: parts2 ?? [] })
  ] });
}
function Candidates({ workspace, text: text2, query: query2 }) {
  const found = useResource(at.memories(workspace.id, { q: text2, limit: 5 }));
  if (found.failure) return /* @__PURE__ */ a3(Refused, { failure: found.failure });
  if (!found.data) return /* @__PURE__ */ a3(Waiting, { rows: 2, height: 28 });
  if (found.data.length === 0) {
    return /* @__PURE__ */ a3("p", { class: "quiet", role: "status", children: /* @__PURE__ */ a3("bdi", { children: words.ask.none(workspace.name) }) });
  }
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("h3", { children: words.ask.which }),
    /* @__PURE__ */ a3("ul", { class: "candidates", children: found.data.map((memory) => /* @__PURE__ */ a3("li", { children: [
      /* @__PURE__ */ a3(Link, { to: `${workspacePath(workspace.id, "reach")}?${new URLSearchParams({ ask: memory.id, q: query2 })}`, children: /* @__PURE__ */ a3(Content, { text: memory.content.slice(0, SHOWN4), query: text2 }) }),
      /* @__PURE__ */ a3("span", { class: "quiet", children: /* @__PURE__ */ a3("bdi", { children: memory.workspace_name }) })
    ] }, memory.id)) })
  ] });
}

// src/parts/found.ts
function useFound(text2, take2, root) {
  const wanted = text2.trim();
  const typed = useTyped(wanted);
  const found = useResource(typed === "" ? void 0 : at.workspaces({ q: typed, root, limit: 20 }));
  const isSettled = typed === wanted && !found.isLoading;
  const [entered, enterFor] = d2();
  const workspaces = found.data ?? [];
  A2(() => {
    if (entered === void 0 || !isSettled) return;
    enterFor(void 0);
    if (entered === wanted) take2(workspaces);
  }, [entered, isSettled, wanted]);
  return { workspaces, isLoading: !isSettled, enter: () => enterFor(wanted) };
}

// src/parts/picker.tsx
function Picker({ org, label, placeholder, isWanted, id: fieldId, onPick }) {
  const [text2, setText] = d2("");
  const [active, setActive] = d2(0);
  const [isOpen, setOpen] = d2(false);
  const id = P2();
  const { workspaces: found, enter: enter2 } = useFound(text2, (settled) => take2(settled[active]), org);
  const take2 = (one) => {
    if (!one) return;
    setOpen(false);
    setText("");
    onPick(one);
  };
  const onKeyDown = (event) => {
    if (event.key === "ArrowDown") setActive(Math.min(active + 1, found.length - 1));
    else if (event.key === "ArrowUp") setActive(Math.max(active - 1, 0));
    else if (event.key === "Enter") enter2();
    else if (event.key === "Escape" && isOpen) setOpen(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isShown = isOpen && found.length > 0;
  return /* @__PURE__ */ a3("div", { class: "picker", children: [
    /* @__PURE__ */ a3(
      "input",
      {
        type: "text",
        role: "combobox",
        "aria-expanded": isShown,
        "aria-controls": id,
        id: fieldId,
        "aria-label": label,
        "aria-activedescendant": isShown ? `${id}-${active}` : void 0,
        placeholder: placeholder ?? label,
        autocomplete: "off",
        spellcheck: false,
        ref: (element) => {
          if (isWanted && element && document.activeElement === document.body) element.focus();
        },
        value: text2,
        onInput: (event) => {
          setText(event.currentTarget.value);
          setActive(0);
          setOpen(true);
        },
        onKeyDown
      }
    ),
    /* @__PURE__ */ a3("ul", { id, role: "listbox", "aria-label": words.jump.found, hidden: !isShown, children: found.map((one, index) => /* @__PURE__ */ a3(
      "li",
      {
        id: `${id}-${index}`,
        role: "option",
        "aria-selected": index === active,
        onPointerMove: () => setActive(index),
        onClick: () => take2(one),
        children: [
          /* @__PURE__ */ a3("bdi", { children: one.name }),
          /* @__PURE__ */ a3("span", { class: "about", children: /* @__PURE__ */ a3("bdi", { children: one.path.map((step) => step.name).join(" ▸ ") }) })
        ]
      },
      one.id
    )) })
  ] });
}

// src/reach/standing.tsx
function Standing({ first: first2, second, meeting }) {
  const ways = [below2(first2, meeting), below2(second, meeting)].filter((way) => way.length > 0);
  const top = [...first2.path, first2].find((step) => step.id === meeting);
  return /* @__PURE__ */ a3("figure", { class: "standing", children: [
    /* @__PURE__ */ a3("figcaption", { class: "unseen", children: words.compare.picture }),
    top && /* @__PURE__ */ a3(Step, { step: top }),
    /* @__PURE__ */ a3("div", { class: `ways ${ways.length > 1 ? "fork" : ""}`, children: ways.map((way, index) => /* @__PURE__ */ a3("ol", { children: way.map((step) => /* @__PURE__ */ a3("li", { children: /* @__PURE__ */ a3(Step, { step }) }, step.id)) }, index)) })
  ] });
}
function Step({ step }) {
  return /* @__PURE__ */ a3(Link, { to: workspacePath(step.id, "reach"), class: "step", children: /* @__PURE__ */ a3("bdi", { children: step.name }) });
}
function below2(workspace, meeting) {
  const whole2 = [...workspace.path, { id: workspace.id, name: workspace.name }];
  const place2 = whole2.findIndex((step) => step.id === meeting);
  return whole2.slice(place2 + 1);
}

// src/reach/compare.tsx
function Compare({ workspace, other }) {
  const isAsked = other !== void 0 && other !== "";
  const relation = useResource(isAsked ? at.relation(workspace.id, other) : void 0);
  const second = useResource(isAsked ? at.workspace(other) : void 0).data;
  return /* @__PURE__ */ a3("section", { class: "compare", "aria-label": words.compare.title, children: [
    /* @__PURE__ */ a3("div", { class: "compare-head", children: [
      /* @__PURE__ */ a3("h2", { children: words.compare.title }),
      /* @__PURE__ */ a3(
        Picker,
        {
          org: workspace.org_id,
          label: words.compare.pick,
          placeholder: second?.name,
          isWanted: other === "",
          onPick: (one) => goWith({ with: one.id })
        },
        other ?? ""
      ),
      isAsked && /* @__PURE__ */ a3(IconButton, { label: words.compare.end, onClick: () => goWith({ with: void 0 }), children: /* @__PURE__ */ a3(Cross, {}) })
    ] }),
    relation.failure && /* @__PURE__ */ a3(Refused, { failure: relation.failure }),
    isAsked && !relation.data && !relation.failure && /* @__PURE__ */ a3(Waiting, { rows: 3, height: 40 }),
    relation.data && /* @__PURE__ */ a3(Compared, { workspace, second, relation: relation.data })
  ] });
}
function Compared({ workspace, second, relation }) {
  const other = second?.name ?? relation.other_id;
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("p", { class: "sentence", children: /* @__PURE__ */ a3("bdi", { children: words.compare.relation(relation.relation, workspace.name, other) }) }),
    /* @__PURE__ */ a3("div", { class: "scroll", children: /* @__PURE__ */ a3("table", { class: "table compare-table", children: [
      /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
        /* @__PURE__ */ a3("th", { scope: "col", children: words.compare.scope }),
        /* @__PURE__ */ a3("th", { scope: "col", children: /* @__PURE__ */ a3("bdi", { children: words.compare.reads(workspace.name, other) }) }),
        /* @__PURE__ */ a3("th", { scope: "col", children: /* @__PURE__ */ a3("bdi", { children: words.compare.reads(other, workspace.name) }) })
      ] }) }),
      /* @__PURE__ */ a3("tbody", { children: relation.rows.map((row) => /* @__PURE__ */ a3(ComparedRow, { row }, row.scope)) })
    ] }) }),
    second && /* @__PURE__ */ a3(Standing, { first: workspace, second, meeting: relation.common_ancestor }),
    second && /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3(Link, { to: `${workspacePath(second.id, "reach")}?with=${workspace.id}`, children: words.compare.turnRound(second.name) }) })
  ] });
}
function ComparedRow({ row }) {
  return /* @__PURE__ */ a3("tr", { children: [
    /* @__PURE__ */ a3("th", { scope: "row", children: /* @__PURE__ */ a3(ScopeChip, { scope: row.scope }) }),
    /* @__PURE__ */ a3(Verdict, { isYes: row.reads, reason: row.reads_reason }),
    /* @__PURE__ */ a3(Verdict, { isYes: row.read_by, reason: row.read_by_reason })
  ] });
}
function Verdict({ isYes, reason }) {
  return /* @__PURE__ */ a3("td", { class: isYes ? "yes" : "no", children: [
    /* @__PURE__ */ a3("span", { class: "verdict", children: [
      isYes ? /* @__PURE__ */ a3(Tick, {}) : /* @__PURE__ */ a3(Cross, {}),
      isYes ? words.compare.yes : words.compare.no
    ] }),
    /* @__PURE__ */ a3("span", { class: "reach-why", children: /* @__PURE__ */ a3("bdi", { children: reason }) })
  ] });
}

// src/reach/reach.tsx
var FEW = 30;
function Reach({ workspace }) {
  const { query: query2 } = useRoute();
  const reach2 = useResource(at.reach(workspace.id));
  const other = query2.get("with");
  return /* @__PURE__ */ a3("div", { class: "reach", children: [
    /* @__PURE__ */ a3(Compare, { workspace, other: other ?? void 0 }),
    /* @__PURE__ */ a3(Ask, { workspace, memory: query2.get("ask") ?? "", query: query2.get("q") ?? "" }, query2.get("ask")),
    reach2.failure && /* @__PURE__ */ a3(Refused, { failure: reach2.failure }),
    !reach2.data && !reach2.failure && /* @__PURE__ */ a3(Waiting, { rows: 6, height: 32 }),
    reach2.data && /* @__PURE__ */ a3("div", { class: "reach-columns", children: [
      /* @__PURE__ */ a3(Side, { title: words.reach.sees(workspace.name), rows: reach2.data.reads, direction: "reads" }),
      /* @__PURE__ */ a3(Side, { title: words.reach.seenBy(workspace.name), rows: reach2.data.read_by, direction: "read_by" })
    ] })
  ] });
}
function gathered(rows2) {
  const found = /* @__PURE__ */ new Map();
  for (const { workspace_id: id, name, scope, reason } of rows2) {
    const one = found.get(id) ?? { id, name, scopes: [], reasons: [] };
    one.scopes.push(scope);
    if (!one.reasons.includes(reason)) one.reasons.push(reason);
    found.set(id, one);
  }
  return [...found.values()];
}
var GROUPS = ["self", "parent", "sibling", "child", "org"];
function Side({ title, rows: rows2, direction }) {
  return /* @__PURE__ */ a3("section", { children: [
    /* @__PURE__ */ a3("h2", { children: /* @__PURE__ */ a3("bdi", { children: title }) }),
    GROUPS.map((via) => /* @__PURE__ */ a3(Group, { via, direction, rows: gathered(rows2.filter((row) => row.via === via)) }, via))
  ] });
}
function Group({ via, direction, rows: rows2 }) {
  const { query: query2 } = useRoute();
  if (rows2.length === 0) return null;
  const all = `all-${direction}-${via}`;
  const shown2 = query2.has(all) ? rows2 : rows2.slice(0, FEW);
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("h3", { children: [
      words.reach.groups[direction][via],
      /* @__PURE__ */ a3("span", { class: "quiet", children: rows2.length })
    ] }),
    /* @__PURE__ */ a3("ul", { class: "reach-rows", children: shown2.map((row) => /* @__PURE__ */ a3("li", { children: [
      /* @__PURE__ */ a3("span", { class: "reach-name", children: [
        /* @__PURE__ */ a3(Link, { to: workspacePath(row.id, "reach"), children: /* @__PURE__ */ a3("bdi", { children: row.name }) }),
        /* @__PURE__ */ a3("span", { class: "reach-why", children: /* @__PURE__ */ a3("bdi", { children: row.reasons.join("; ") }) })
      ] }),
      /* @__PURE__ */ a3("span", { class: "reach-scopes", children: row.scopes.map((scope) => /* @__PURE__ */ a3(ScopeChip, { scope }, scope)) })
    ] }, row.id)) }),
    shown2.length < rows2.length && /* @__PURE__ */ a3("button", { type: "button", class: "button quiet", onClick: () => goWith({ [all]: "1" }, { replace: true }), children: words.reach.all(rows2.length) })
  ] });
}

// src/runs/countdown.tsx
var S2 = 1e3;
var MIN = 60 * S2;
var H2 = 60 * MIN;
var D3 = 24 * H2;
var LONGEST = 2 ** 31 - 1;
function left(ms, isBrief = false) {
  const steps = [[D3, "d"], [H2, "h"], [MIN, "min"], [S2, "s"]];
  const first2 = steps.findIndex(([unit]) => ms >= unit);
  if (first2 < 0) return `0 ${steps[3][1]}`;
  const shown2 = steps.slice(first2, first2 + (isBrief ? 1 : 2));
  return shown2.map(([unit, name], place2) => `${Math.floor((place2 === 0 ? ms : ms % shown2[0][0]) / unit)} ${name}`).join(" ");
}
function Countdown({ until, onOver, brief }) {
  const end2 = Date.parse(until);
  const [now, set2] = d2(Date.now);
  A2(() => {
    const timer = setInterval(() => !document.hidden && set2(Date.now()), S2);
    return () => clearInterval(timer);
  }, []);
  A2(() => {
    const wait = end2 - Date.now() + S2;
    if (wait <= 0 || wait > LONGEST) return;
    const timer = setTimeout(onOver, wait);
    return () => clearTimeout(timer);
  }, [end2]);
  return /* @__PURE__ */ a3("time", { dateTime: until, title: exact(until), role: "timer", children: end2 > now ? words.runs.left(left(end2 - now, brief)) : words.runs.overdue });
}

// src/runs/status.tsx
function Status({ run: { status } }) {
  const kind = { open: "now", completed: "", failed: "bad", cancelled: "", timed_out: "late" }[status];
  return /* @__PURE__ */ a3("span", { class: `status ${kind}`, children: words.runs.statuses[status] });
}
function runsChanged(workspace) {
  changed((path) => path.startsWith(at.runs(workspace)));
}

// src/runs/run.tsx
var PAGE3 = 100;
function RunDrawer({ workspace, id, canEnd, onClose }) {
  const path = at.run(workspace.id, id, { limit: PAGE3 });
  const run2 = useResource(path);
  const ref = T2(null);
  A2(() => ref.current?.focus({ preventScroll: true }), []);
  return /* @__PURE__ */ a3("aside", { class: "drawer", ref, tabIndex: -1, "aria-label": words.runs.one, children: [
    /* @__PURE__ */ a3("header", { children: [
      /* @__PURE__ */ a3("h2", { children: /* @__PURE__ */ a3("bdi", { children: run2.data?.label ?? words.runs.one }) }),
      /* @__PURE__ */ a3(IconButton, { label: words.close, onClick: onClose, children: /* @__PURE__ */ a3(Cross, {}) })
    ] }),
    run2.failure && !run2.data && /* @__PURE__ */ a3(Refused, { failure: run2.failure }),
    !run2.data && !run2.failure && /* @__PURE__ */ a3(Waiting, { rows: 4 }),
    run2.data && /* @__PURE__ */ a3("div", { class: "drawer-body", children: [
      /* @__PURE__ */ a3("p", { class: "drawer-facts", children: [
        /* @__PURE__ */ a3(Status, { run: run2.data }),
        /* @__PURE__ */ a3("span", { children: words.runs.counts(run2.data.status, run2.data.write_count, run2.data.dropped_count) })
      ] }),
      run2.data.status === "open" && canEnd && /* @__PURE__ */ a3(Endings, { workspace, run: run2.data }),
      run2.data.status === "open" ? /* @__PURE__ */ a3(Pending, { path, run: run2.data }) : /* @__PURE__ */ a3(Left2, { run: run2.data }),
      /* @__PURE__ */ a3(Facts2, { run: run2.data })
    ] })
  ] });
}
function Endings({ workspace, run: run2 }) {
  const [asking, ask] = d2();
  const count2 = run2.write_count;
  const end2 = async (status) => {
    const { data } = await finishRun(workspace.id, run2.run_id, { status });
    say(status === "completed" ? words.runs.finished(data.write_count) : words.runs.dropped(data.dropped_count));
    runsChanged(workspace.id);
    if (status === "completed") treeChanged();
  };
  const { finish, finishTitle, finishWhat, drop, dropTitle, dropWhat } = words.runs;
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("div", { class: "actions", children: [
      /* @__PURE__ */ a3(Button, { onClick: () => ask("completed"), children: finish(count2) }),
      /* @__PURE__ */ a3(Button, { onClick: () => ask("cancelled"), children: drop(count2) })
    ] }),
    asking === "completed" && /* @__PURE__ */ a3(
      Confirm,
      {
        title: finishTitle,
        size: "narrow",
        kind: "first",
        label: finish(count2),
        act: () => end2("completed"),
        onClose: () => ask(void 0),
        children: /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3("bdi", { children: finishWhat(workspace.name, count2) }) })
      }
    ),
    asking === "cancelled" && /* @__PURE__ */ a3(
      Confirm,
      {
        title: dropTitle,
        size: "narrow",
        label: drop(count2),
        act: () => end2("cancelled"),
        onClose: () => ask(void 0),
        children: /* @__PURE__ */ a3("p", { children: dropWhat })
      }
    )
  ] });
}
function Pending({ path, run: run2 }) {
  const pages = usePages(path, (page) => page.pending);
  return /* @__PURE__ */ a3("section", { class: "pending", "aria-label": words.runs.pending(run2.write_count), "aria-busy": pages.isLoading, children: [
    /* @__PURE__ */ a3("div", { class: "pending-head", children: /* @__PURE__ */ a3("h3", { children: words.runs.pending(run2.write_count) }) }),
    run2.write_count > 0 && /* @__PURE__ */ a3("p", { class: "notice", children: words.runs.unread }),
    /* @__PURE__ */ a3("ul", { children: pages.rows?.map((memory) => /* @__PURE__ */ a3("li", { children: [
      /* @__PURE__ */ a3("del", { children: /* @__PURE__ */ a3(Content, { text: memory.content }) }),
      /* @__PURE__ */ a3("p", { class: "memory-facts", children: [
        /* @__PURE__ */ a3(ScopeChip, { scope: memory.scope }),
        /* @__PURE__ */ a3("span", { class: "fact", children: /* @__PURE__ */ a3("bdi", { children: memory.kind }) }),
        /* @__PURE__ */ a3("span", { class: "fact", children: /* @__PURE__ */ a3("bdi", { children: memory.namespace }) }),
        /* @__PURE__ */ a3(Time, { at: memory.held_at })
      ] })
    ] }, memory.id)) }),
    pages.hasMore && /* @__PURE__ */ a3(Button, { kind: "quiet", isBusy: pages.isLoading, onClick: pages.more, children: words.more })
  ] });
}
function Left2({ run: run2 }) {
  if (run2.status !== "completed") return /* @__PURE__ */ a3("p", { children: words.runs.never });
  if (run2.write_count === 0) return null;
  return /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3(Link, { to: `${workspacePath(run2.workspace_id)}?run_id=${run2.run_id}`, children: words.runs.written(run2.write_count) }) });
}
function Facts2({ run: run2 }) {
  const rows2 = [
    [words.runs.by, /* @__PURE__ */ a3("bdi", { children: run2.started_by })],
    [words.runs.started, /* @__PURE__ */ a3(Time, { at: run2.started_at })]
  ];
  if (run2.status === "open") {
    const over = () => runsChanged(run2.workspace_id);
    rows2.push([words.runs.timesOut, /* @__PURE__ */ a3(Countdown, { until: run2.times_out_at, onOver: over })]);
  }
  if (run2.finished_at) rows2.push([words.runs.ended, /* @__PURE__ */ a3(Time, { at: run2.finished_at })]);
  if (run2.session_id) {
    const to = `${workspacePath(run2.workspace_id)}?session_id=${encodeURIComponent(run2.session_id)}`;
    rows2.push([
      words.runs.session,
      /* @__PURE__ */ a3(Link, { to, children: /* @__PURE__ */ a3("bdi", { children: run2.session_id }) })
    ]);
  }
  rows2.push([words.runs.one, /* @__PURE__ */ a3(Id, { id: run2.run_id })]);
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("dl", { class: "facts-list", children: rows2.map(([name, value]) => /* @__PURE__ */ a3("div", { children: [
      /* @__PURE__ */ a3("dt", { children: name }),
      /* @__PURE__ */ a3("dd", { children: value })
    ] }, name)) }),
    /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3(Link, { to: `${workspacePath(run2.workspace_id, "access")}?run_id=${run2.run_id}`, children: words.runs.log }) })
  ] });
}

// src/runs/runs.tsx
var STATUSES = Object.keys(words.runs.statuses);
function Runs({ me, workspace }) {
  const { query: query2 } = useRoute();
  const list = T2(null);
  const status = STATUSES.find((each) => each === query2.get("status"));
  const pages = usePages(at.runs(workspace.id, { status, limit: 100 }));
  const open2 = query2.get("run") ?? void 0;
  const close = () => {
    goWith({ run: void 0 });
    focusRow(list.current, open2);
  };
  useKeys({
    "j": () => moveFocus(list.current, 1, pages.more),
    "ArrowDown": () => moveFocus(list.current, 1, pages.more),
    "k": () => moveFocus(list.current, -1),
    "ArrowUp": () => moveFocus(list.current, -1),
    "Escape": () => {
      if (open2 !== void 0) return close();
      if (status === void 0) return false;
      goWith({ status: void 0 }, { replace: true });
    }
  });
  return /* @__PURE__ */ a3("div", { class: `with-drawer ${open2 === void 0 ? "" : "drawn"}`, children: [
    /* @__PURE__ */ a3("section", { class: "list", "aria-label": words.tabs.runs, children: [
      /* @__PURE__ */ a3("div", { class: "list-head", children: /* @__PURE__ */ a3("div", { class: "segments", role: "group", "aria-label": words.runs.status, children: [void 0, ...STATUSES].map((each) => /* @__PURE__ */ a3(
        "button",
        {
          type: "button",
          "aria-pressed": status === each,
          onClick: () => goWith({ status: each }, { replace: true }),
          children: each ? words.runs.statuses[each] : words.runs.all
        },
        each ?? ""
      )) }) }),
      /* @__PURE__ */ a3("div", { class: `rows ${pages.isStale ? "stale" : ""}`, "aria-busy": pages.isLoading, ref: list, children: [
        pages.failure && /* @__PURE__ */ a3(Refused, { failure: pages.failure }),
        !pages.rows && !pages.failure && /* @__PURE__ */ a3(Waiting, { height: 32 }),
        pages.rows?.length === 0 && !pages.isStale && /* @__PURE__ */ a3(Nothing2, { workspace, status }),
        pages.rows && pages.rows.length > 0 && /* @__PURE__ */ a3(Table, { runs: pages.rows, open: open2 }),
        pages.hasMore && /* @__PURE__ */ a3(Button, { kind: "quiet", class: "more", isBusy: pages.isLoading, onClick: pages.more, children: words.more })
      ] })
    ] }),
    open2 !== void 0 && /* @__PURE__ */ a3(RunDrawer, { workspace, id: open2, canEnd: may(me, "write_memories"), onClose: close }, open2)
  ] });
}
function Table({ runs, open: open2 }) {
  return /* @__PURE__ */ a3("table", { class: "table keys runs", children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: words.runs.one }),
      /* @__PURE__ */ a3("th", { scope: "col", children: words.runs.status }),
      /* @__PURE__ */ a3("th", { scope: "col", children: words.runs.memories }),
      /* @__PURE__ */ a3("th", { scope: "col", children: words.runs.by }),
      /* @__PURE__ */ a3("th", { scope: "col", children: words.runs.started }),
      /* @__PURE__ */ a3("th", { scope: "col", children: words.runs.ends })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: runs.map((run2) => /* @__PURE__ */ a3("tr", { class: run2.run_id === open2 ? "open" : "", children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: /* @__PURE__ */ a3(Link, { to: pathWith({ run: run2.run_id }), "data-row": run2.run_id, class: run2.run_id === open2 ? "open" : "", children: /* @__PURE__ */ a3("bdi", { children: run2.label ?? `${words.runs.one} ${run2.run_id.slice(-6)}` }) }) }),
      /* @__PURE__ */ a3("td", { children: /* @__PURE__ */ a3(Status, { run: run2 }) }),
      /* @__PURE__ */ a3("td", { children: words.runs.counts(run2.status, run2.write_count, run2.dropped_count) }),
      /* @__PURE__ */ a3("td", { class: "value", children: /* @__PURE__ */ a3("bdi", { children: run2.started_by }) }),
      /* @__PURE__ */ a3("td", { children: /* @__PURE__ */ a3(Time, { at: run2.started_at, brief: true }) }),
      /* @__PURE__ */ a3("td", { children: /* @__PURE__ */ a3(End, { run: run2 }) })
    ] }, run2.run_id)) })
  ] });
}
function End({ run: run2 }) {
  if (run2.status === "open") {
    return /* @__PURE__ */ a3(Countdown, { until: run2.times_out_at, brief: true, onOver: () => runsChanged(run2.workspace_id) });
  }
  return run2.finished_at ? /* @__PURE__ */ a3(Time, { at: run2.finished_at }) : null;
}
function Nothing2({ workspace, status }) {
  if (status) return /* @__PURE__ */ a3(Empty, { title: words.runs.nothingMatches(words.runs.statuses[status]) });
  return /* @__PURE__ */ a3(Empty, { title: words.runs.none(workspace.name), children: [
    /* @__PURE__ */ a3("p", { children: words.runs.how }),
    /* @__PURE__ */ a3(Snippet, { text: `orgmem run start -w ${workspace.id} --label "nightly review"`, label: words.runs.how })
  ] });
}

// src/state/groups.ts
function grouped(entries2) {
  const groups = [];
  const counts = /* @__PURE__ */ new Map();
  for (const { key } of entries2) counts.set(prefixOf(key), (counts.get(prefixOf(key)) ?? 0) + 1);
  for (const entry of entries2) {
    const own = prefixOf(entry.key);
    const prefix = (counts.get(own) ?? 0) > 1 ? own : "";
    const last = groups.at(-1);
    if (last?.prefix === prefix) last.entries.push(entry);
    else groups.push({ prefix, entries: [entry] });
  }
  return groups;
}
function prefixOf(key) {
  return /^[^/:.]+[/:.]/.exec(key)?.[0] ?? "";
}
function valueOf(text2) {
  const trimmed = text2.trim();
  try {
    return { value: JSON.parse(trimmed), isJson: true, fault: void 0 };
  } catch (error) {
    const isMeant = /^[[{"]/.test(trimmed);
    return { value: text2, isJson: false, fault: isMeant ? placed(trimmed, error) : void 0 };
  }
}
function placed(text2, error) {
  const position = Number(/position (\d+)/.exec(error.message)?.[1] ?? text2.length);
  const before = text2.slice(0, position).split("\n");
  const what = error.message.replace(/ in JSON at position.*| \(line.*|, "?.*"? is not valid JSON/, "");
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${what}`;
}
function written(value) {
  return JSON.stringify(value, null, 2);
}

// src/state/entry.tsx
function EntryDrawer({ workspace, name, canWrite, onClose }) {
  const isNew = name === "";
  const entry = useResource(isNew ? void 0 : at.entry(workspace.id, name));
  const ref = T2(null);
  const [isDropping, drop] = d2(false);
  A2(() => {
    if (!isNew) ref.current?.focus({ preventScroll: true });
  }, []);
  const isGone = entry.failure?.status === 404 && entry.data !== void 0;
  return /* @__PURE__ */ a3("aside", { class: "drawer", ref, tabIndex: -1, "aria-label": isNew ? words.state.put : words.state.one, children: [
    /* @__PURE__ */ a3("header", { children: [
      /* @__PURE__ */ a3("h2", { children: /* @__PURE__ */ a3("bdi", { children: isNew ? words.state.put : name }) }),
      /* @__PURE__ */ a3(IconButton, { label: words.close, onClick: onClose, children: /* @__PURE__ */ a3(Cross, {}) })
    ] }),
    entry.failure && !isGone && /* @__PURE__ */ a3(Refused, { failure: entry.failure }),
    !isNew && !entry.data && !entry.failure && /* @__PURE__ */ a3(Waiting, { rows: 4 }),
    isGone && /* @__PURE__ */ a3("p", { class: "notice", children: words.state.gone }),
    (isNew || entry.data) && /* @__PURE__ */ a3(Editor, { workspace, entry: entry.data, canWrite, onDrop: () => drop(true) }),
    isDropping && entry.data && /* @__PURE__ */ a3(Drop, { workspace, entry: entry.data, onClose: () => drop(false), onDone: onClose })
  ] });
}
function Editor({ workspace, entry, canWrite, onDrop }) {
  const now = useNow();
  const [key, setKey] = d2(entry?.key ?? "");
  const [base, setBase] = d2(entry);
  const [text2, setText] = d2(entry ? written(entry.value) : "");
  const [ttl, setTtl] = d2("");
  const [failure, setFailure] = d2();
  const [isBusy, setBusy] = d2(false);
  const [theirs, setTheirs] = d2();
  const isEdited = text2 !== (base ? written(base.value) : "");
  A2(() => {
    if (entry && !isEdited && entry.version !== base?.version) {
      setBase(entry);
      setText(written(entry.value));
    }
  }, [entry]);
  const parsed = valueOf(text2);
  const save3 = async (event) => {
    event.preventDefault();
    if (isBusy || parsed.fault !== void 0) return;
    setBusy(true);
    setFailure(void 0);
    const lifetime = ttl === "" ? {} : { ttl_seconds: Number(ttl) };
    try {
      const value = parsed.value;
      const { data } = await putEntry(workspace.id, { key, value, if_match_version: base?.version ?? 0, ...lifetime });
      const saved2 = { key, value, version: data.version, updated_at: (/* @__PURE__ */ new Date()).toISOString() };
      setBase(saved2);
      say(words.state.saved(data.version));
      workspaceChanged(workspace.id);
      if (!entry) goWith({ key, new: void 0 }, { replace: true });
    } catch (error) {
      const refused2 = asFailure(error);
      if (refused2.problem.code === "version_conflict") setTheirs(await current3(workspace.id, key));
      else setFailure(refused2);
    } finally {
      setBusy(false);
    }
  };
  return /* @__PURE__ */ a3("form", { class: "drawer-body", onSubmit: (event) => void save3(event), children: [
    !entry && /* @__PURE__ */ a3(Field, { label: words.state.key, hint: words.state.keyHint, fault: faultOf(failure, "key"), children: (attributes) => /* @__PURE__ */ a3(
      "input",
      {
        ...attributes,
        type: "text",
        required: true,
        autofocus: true,
        spellcheck: false,
        value: key,
        onInput: (event) => setKey(event.currentTarget.value)
      }
    ) }),
    entry && base && /* @__PURE__ */ a3("p", { class: "drawer-facts", children: [
      /* @__PURE__ */ a3("span", { class: "fact", children: words.state.versionOf(base.version) }),
      /* @__PURE__ */ a3("span", { class: "fact", children: [
        words.state.changed,
        " ",
        /* @__PURE__ */ a3(Time, { at: base.updated_at })
      ] }),
      base.expires_at && /* @__PURE__ */ a3("span", { class: "expires", children: words.state.expiresAt(relative(base.expires_at, now)) })
    ] }),
    canWrite ? /* @__PURE__ */ a3($, { children: [
      /* @__PURE__ */ a3(
        Field,
        {
          label: words.state.value,
          hint: text2.trim() === "" ? void 0 : parsed.isJson ? words.state.asJson : words.state.asText,
          fault: parsed.fault ?? faultOf(failure, "value"),
          children: (attributes) => /* @__PURE__ */ a3(
            "textarea",
            {
              ...attributes,
              class: "code",
              rows: 12,
              spellcheck: false,
              value: text2,
              onInput: (event) => setText(event.currentTarget.value),
              onKeyDown: (event) => {
                if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save3(event);
              }
            }
          )
        }
      ),
      /* @__PURE__ */ a3(Field, { label: words.state.ttl, hint: words.state.ttlHint, children: ({ id }) => /* @__PURE__ */ a3(Select, { id, value: ttl, options: words.lifetimes, onChange: setTtl }) }),
      failure && faultOf(failure, "key") === void 0 && faultOf(failure, "value") === void 0 && /* @__PURE__ */ a3("p", { class: "fault", role: "alert", children: sentenceOf(failure) }),
      /* @__PURE__ */ a3("footer", { children: [
        entry && /* @__PURE__ */ a3(Button, { kind: "danger", onClick: onDrop, children: words.state.drop }),
        /* @__PURE__ */ a3(Button, { kind: "first", type: "submit", isBusy, children: words.state.save })
      ] })
    ] }) : /* @__PURE__ */ a3(Snippet, { text: text2, label: words.state.value }),
    theirs !== void 0 && /* @__PURE__ */ a3(
      Conflict,
      {
        base: base ? written(base.value) : "",
        theirs: theirs && { version: theirs.version, text: written(theirs.value) },
        mine: text2,
        check: (merged) => valueOf(merged).fault,
        onClose: () => setTheirs(void 0),
        onTake: (merged) => {
          setBase(theirs ?? void 0);
          setText(merged);
          setTheirs(void 0);
        }
      }
    )
  ] });
}
async function current3(workspace, key) {
  try {
    return (await api(at.entry(workspace, key))).data;
  } catch (error) {
    if (asFailure(error).status === 404) return null;
    throw error;
  }
}
function Drop({ workspace, entry, onClose, onDone }) {
  const drop = async () => {
    await dropEntry(workspace.id, entry.key);
    say(words.state.dropped(entry.key));
    workspaceChanged(workspace.id);
    onDone();
  };
  return /* @__PURE__ */ a3(Confirm, { title: words.state.dropTitle, size: "narrow", label: words.state.drop, act: drop, onClose, children: /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3("bdi", { children: words.state.dropWhat(entry.key, entry.version, workspace.name) }) }) });
}

// src/state/state.tsx
var SHOWN5 = 160;
function State({ me, workspace }) {
  const { query: query2 } = useRoute();
  const [prefix, setPrefix] = d2("");
  const typed = useTyped(prefix);
  const list = T2(null);
  const field = T2(null);
  const pages = usePages(at.entries(workspace.id, { prefix: typed, limit: 200 }));
  const open2 = query2.get("key") ?? void 0;
  const isDrawn = open2 !== void 0 || query2.has("new");
  const canWrite = may(me, "write_entries");
  const close = () => {
    goWith({ key: void 0, new: void 0 });
    focusRow(list.current, open2);
  };
  useKeys({
    "/": () => field.current?.select(),
    "j": () => moveFocus(list.current, 1, pages.more),
    "ArrowDown": () => moveFocus(list.current, 1, pages.more),
    "k": () => moveFocus(list.current, -1),
    "ArrowUp": () => moveFocus(list.current, -1),
    "w": () => canWrite ? goWith({ new: "1", key: void 0 }) : false,
    "Escape": () => {
      if (isDrawn) return close();
      if (prefix === "") return false;
      setPrefix("");
    }
  });
  return /* @__PURE__ */ a3("div", { class: `with-drawer ${isDrawn ? "drawn" : ""}`, children: [
    /* @__PURE__ */ a3("section", { class: "list", "aria-label": words.tabs.state, children: [
      /* @__PURE__ */ a3("div", { class: "list-head", children: /* @__PURE__ */ a3("div", { class: "filter-bar", children: /* @__PURE__ */ a3("div", { class: "filter-line", children: [
        /* @__PURE__ */ a3("label", { class: "search", children: [
          /* @__PURE__ */ a3(Glass, {}),
          /* @__PURE__ */ a3(
            "input",
            {
              ref: field,
              type: "search",
              placeholder: words.state.prefix,
              "aria-label": words.state.prefix,
              spellcheck: false,
              value: prefix,
              onInput: (event) => setPrefix(event.currentTarget.value),
              onKeyDown: intoList(() => moveFocus(list.current, 1))
            }
          )
        ] }),
        canWrite && /* @__PURE__ */ a3(Button, { kind: "first", class: "write", onClick: () => goWith({ new: "1", key: void 0 }), children: [
          /* @__PURE__ */ a3(Plus, {}),
          words.state.put
        ] })
      ] }) }) }),
      /* @__PURE__ */ a3("div", { class: `rows ${pages.isStale ? "stale" : ""}`, "aria-busy": pages.isLoading, ref: list, children: [
        pages.failure && /* @__PURE__ */ a3(Refused, { failure: pages.failure }),
        !pages.rows && !pages.failure && /* @__PURE__ */ a3(Waiting, { height: 32 }),
        pages.rows?.length === 0 && /* @__PURE__ */ a3(Nothing3, { workspace, prefix: typed }),
        pages.rows && pages.rows.length > 0 && /* @__PURE__ */ a3(Keys, { entries: pages.rows, open: open2 }),
        pages.hasMore && /* @__PURE__ */ a3(Button, { kind: "quiet", class: "more", isBusy: pages.isLoading, onClick: pages.more, children: words.more })
      ] })
    ] }),
    isDrawn && /* @__PURE__ */ a3(EntryDrawer, { workspace, name: open2 ?? "", canWrite, onClose: close }, open2 ?? "")
  ] });
}
function Keys({ entries: entries2, open: open2 }) {
  return /* @__PURE__ */ a3("table", { class: "table keys", children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: words.state.key }),
      /* @__PURE__ */ a3("th", { scope: "col", children: words.state.value }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: words.state.version }),
      /* @__PURE__ */ a3("th", { scope: "col", children: words.state.expires }),
      /* @__PURE__ */ a3("th", { scope: "col", children: words.state.changed })
    ] }) }),
    grouped(entries2).map((group) => /* @__PURE__ */ a3("tbody", { children: [
      group.prefix !== "" && /* @__PURE__ */ a3("tr", { class: "group", children: /* @__PURE__ */ a3("th", { scope: "rowgroup", colSpan: 5, children: [
        /* @__PURE__ */ a3("bdi", { children: group.prefix }),
        " ",
        /* @__PURE__ */ a3("span", { class: "quiet", children: group.entries.length })
      ] }) }),
      group.entries.map((entry) => /* @__PURE__ */ a3(EntryRow, { entry, prefix: group.prefix, isOpen: entry.key === open2 }, entry.key))
    ] }, `${group.prefix} ${group.entries[0]?.key}`))
  ] });
}
function EntryRow({ entry, prefix, isOpen }) {
  const now = useNow();
  return /* @__PURE__ */ a3("tr", { class: isOpen ? "open" : "", children: [
    /* @__PURE__ */ a3("th", { scope: "row", children: /* @__PURE__ */ a3(
      Link,
      {
        to: pathWith({ key: entry.key, new: void 0 }),
        "data-row": entry.key,
        class: isOpen ? "open" : "",
        "aria-label": entry.key,
        title: entry.key,
        children: /* @__PURE__ */ a3("bdi", { children: [
          prefix !== "" && /* @__PURE__ */ a3("span", { class: "prefix", children: prefix }),
          entry.key.slice(prefix.length)
        ] })
      }
    ) }),
    /* @__PURE__ */ a3("td", { class: "value", children: /* @__PURE__ */ a3("code", { children: /* @__PURE__ */ a3("bdi", { children: JSON.stringify(entry.value).slice(0, SHOWN5) }) }) }),
    /* @__PURE__ */ a3("td", { class: "number", children: entry.version }),
    /* @__PURE__ */ a3("td", { children: entry.expires_at && /* @__PURE__ */ a3("span", { title: entry.expires_at, children: relative(entry.expires_at, now) }) }),
    /* @__PURE__ */ a3("td", { children: /* @__PURE__ */ a3(Time, { at: entry.updated_at, brief: true }) })
  ] });
}
function Nothing3({ workspace, prefix }) {
  if (prefix !== "") return /* @__PURE__ */ a3(Empty, { title: words.state.nothingMatches(prefix) });
  return /* @__PURE__ */ a3(Empty, { title: words.state.none(workspace.name), children: [
    /* @__PURE__ */ a3("p", { children: words.state.how }),
    /* @__PURE__ */ a3(Snippet, { text: 'memory_set({ "key": "task/current", "value": { "step": 3 } })', label: words.state.how })
  ] });
}

// src/timeline/days.ts
function byDay(rows2, at2) {
  const days = /* @__PURE__ */ new Map();
  for (const row of rows2) {
    const name = day(at2(row));
    const known = days.get(name);
    if (known) known.push(row);
    else days.set(name, [row]);
  }
  return [...days];
}

// src/timeline/pull.tsx
function Pull({ run: run2, session }) {
  if (!run2 && !session) return null;
  return /* @__PURE__ */ a3("span", { class: "pull", children: [
    run2 && /* @__PURE__ */ a3(Link, { to: pathWith({ run: run2, session: void 0 }), title: words.strip.pull, children: words.strip.pullRun(run2) }),
    session && /* @__PURE__ */ a3(Link, { to: pathWith({ session, run: void 0 }), title: words.strip.pull, children: /* @__PURE__ */ a3("bdi", { children: words.strip.pullSession(session) }) })
  ] });
}
function pullOut() {
  const link = document.activeElement?.closest("li")?.querySelector(".pull a");
  return link ? link.click() : false;
}

// src/timeline/reads.tsx
var SHOWN6 = 60;
var READS = ["search_memories", "inject_memories", "read_memory", "search_session"];
function readsPath(workspace, action) {
  return at.access(workspace.id, { action, limit: 100 });
}
function Reads({ workspace, pages }) {
  if (pages.rows?.length === 0 && !pages.hasMore) return /* @__PURE__ */ a3(Empty, { title: words.reads.none(workspace.name) });
  return /* @__PURE__ */ a3($, { children: byDay(pages.rows ?? [], (row) => row.at).map(([day2, rows2]) => /* @__PURE__ */ a3("section", { class: "day", children: [
    /* @__PURE__ */ a3("h2", { children: day2 }),
    /* @__PURE__ */ a3("ol", { class: "hits reads", children: rows2.map((row) => /* @__PURE__ */ a3(Read, { row }, row.seq)) })
  ] }, day2)) });
}
function Read({ row }) {
  const hash = row.context.query_hash;
  const line2 = /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("time", { dateTime: row.at, title: clockWithSeconds(row.at), children: clock(row.at) }),
    /* @__PURE__ */ a3("span", { class: "label", title: row.subject, children: /* @__PURE__ */ a3("bdi", { children: row.subject }) }),
    /* @__PURE__ */ a3("span", { class: "hit-text", children: [
      words.reads.came(row.action, row.memories.length),
      typeof hash === "string" && /* @__PURE__ */ a3("span", { class: "quiet", title: words.reads.hash, children: [
        " ",
        /* @__PURE__ */ a3("code", { children: hash.slice(0, 8) })
      ] })
    ] })
  ] });
  if (row.memories.length === 0) {
    return /* @__PURE__ */ a3("li", { children: [
      /* @__PURE__ */ a3("div", { class: "hit", tabIndex: -1, "data-row": row.seq, children: line2 }),
      /* @__PURE__ */ a3(Pull, { run: row.run_id, session: void 0 })
    ] });
  }
  return /* @__PURE__ */ a3("li", { children: [
    /* @__PURE__ */ a3("details", { class: "unfold", children: [
      /* @__PURE__ */ a3("summary", { class: "hit", "data-row": row.seq, children: line2 }),
      /* @__PURE__ */ a3("div", { class: "body-of", children: [
        /* @__PURE__ */ a3("ol", { class: "ranked", "aria-label": words.reads.inOrder, children: [
          row.memories.slice(0, SHOWN6).map(({ id, version }, place2) => /* @__PURE__ */ a3("li", { children: /* @__PURE__ */ a3(Link, { to: `${workspacePath(row.workspace_id)}?m=${id}`, title: words.reads.version(id, version), children: [
            /* @__PURE__ */ a3("span", { class: "quiet", children: place2 + 1 }),
            " ",
            /* @__PURE__ */ a3("code", { children: id.slice(-6) })
          ] }) }, id)),
          row.memories.length > SHOWN6 && /* @__PURE__ */ a3("li", { class: "quiet", children: words.access.more(row.memories.length - SHOWN6) })
        ] }),
        /* @__PURE__ */ a3("p", { class: "answered-links", children: [
          row.run_id && /* @__PURE__ */ a3(Link, { to: `${workspacePath(row.workspace_id, "access")}?run_id=${row.run_id}`, children: words.runs.log }),
          /* @__PURE__ */ a3(Link, { to: `${workspacePath(row.workspace_id, "reach")}?ask=`, children: words.ask.missing })
        ] })
      ] })
    ] }),
    /* @__PURE__ */ a3(Pull, { run: row.run_id, session: void 0 })
  ] });
}

// src/timeline/steps.ts
var PHASES = {
  start_run: "began",
  search_memories: "recalled",
  read_memory: "recalled",
  search_session: "recalled",
  read_history: "recalled",
  inject_memories: "injected",
  hold_memory: "held",
  commit_memory: "written",
  edit_memory: "written",
  restore_memory: "written"
};
var LOOKS = /* @__PURE__ */ new Set(["read_run", "read_access_log", "watch_events", "finish_run", "explain_memory", "count_memories"]);
var ONE_BY_ONE = /* @__PURE__ */ new Set(["hold_memory", "commit_memory", "read_memory"]);
function stepsOf(rows2) {
  const steps = [];
  for (const row of rows2.toSorted((a4, b2) => micros(a4.at) - micros(b2.at) || a4.seq - b2.seq)) {
    if (LOOKS.has(row.action)) continue;
    const last = steps.at(-1);
    const goesOn = last?.action === row.action && last.subject === row.subject && ONE_BY_ONE.has(row.action);
    if (last && goesOn) last.memories.push(...row.memories);
    else steps.push(stepOf(row));
  }
  return steps.map(withoutHeld(steps)).filter((step) => step.phase !== "written" || step.memories.length > 0);
}
function withoutHeld(steps) {
  const held = new Set(steps.filter((step) => step.phase === "held").flatMap((step) => step.memories.map(({ id }) => id)));
  return (step) => step.action === "commit_memory" ? { ...step, memories: step.memories.filter(({ id }) => !held.has(id)) } : step;
}
function micros(at2) {
  const fraction = /\.(\d+)/.exec(at2)?.[1] ?? "";
  return Date.parse(at2.replace(/\.\d+/, "")) * 1e3 + Number(fraction.padEnd(6, "0").slice(0, 6));
}
function stepOf(row) {
  const { query_hash: hash, entry_count: entries2 } = row.context;
  const memories3 = row.action === "inject_memories" && typeof entries2 === "number" ? row.memories.slice(0, entries2) : [...row.memories];
  return {
    seq: row.seq,
    at: row.at,
    phase: PHASES[row.action] ?? "other",
    action: row.action,
    subject: row.subject,
    workspace: row.workspace_id,
    memories: memories3,
    isRanked: row.action === "search_memories" || row.action === "inject_memories",
    queryHash: typeof hash === "string" ? hash : void 0
  };
}
function sumsOf(steps) {
  const of = (...phases) => new Set(steps.filter((step) => phases.includes(step.phase)).flatMap((step) => step.memories.map(({ id }) => id))).size;
  return { recalled: of("recalled"), injected: of("injected"), written: of("held", "written"), committed: of("written") };
}

// src/timeline/strip.tsx
var MOST2 = 2e3;
var SHOWN7 = 12;
var CHIP = 64;
var UNFOLDED = 3;
function Strip({ workspace, run: run2, session, onClose }) {
  const ref = T2(null);
  A2(() => ref.current?.focus({ preventScroll: true }), []);
  const detail = useResource(run2 && at.run(workspace.id, run2, { limit: 200 }));
  const title = run2 === void 0 ? words.strip.session(session ?? "") : words.strip.run(detail.data?.label, run2);
  return /* @__PURE__ */ a3("aside", { class: "drawer", ref, tabIndex: -1, "aria-label": words.strip.title, children: [
    /* @__PURE__ */ a3("header", { children: [
      /* @__PURE__ */ a3("h2", { children: /* @__PURE__ */ a3("bdi", { children: title }) }),
      /* @__PURE__ */ a3(IconButton, { label: words.close, onClick: onClose, children: /* @__PURE__ */ a3(Cross, {}) })
    ] }),
    /* @__PURE__ */ a3("div", { class: "drawer-body", children: [
      run2 !== void 0 && detail.isLoading && !detail.data && /* @__PURE__ */ a3(Waiting, { rows: 4, height: 32 }),
      run2 !== void 0 && (detail.data || detail.failure) && /* @__PURE__ */ a3($, { children: [
        detail.failure?.isPassing && /* @__PURE__ */ a3(Refused, { failure: detail.failure }),
        detail.failure?.status === 404 && /* @__PURE__ */ a3("p", { class: "notice", children: words.strip.unknown }),
        /* @__PURE__ */ a3(RunStrip, { workspace, id: run2, run: detail.data, pending: detail.data?.pending, withSums: true }),
        /* @__PURE__ */ a3(RunLinks, { workspace, id: run2, run: detail.data })
      ] }),
      run2 === void 0 && session !== void 0 && /* @__PURE__ */ a3(SessionStrip, { workspace, session })
    ] })
  ] });
}
function useAll(path) {
  const pages = usePages(path);
  const wants = pages.hasMore && !pages.isLoading && !pages.failure && (pages.rows?.length ?? 0) < MOST2;
  A2(() => {
    if (wants) pages.more();
  }, [wants, pages.rows]);
  return pages;
}
function RunStrip({ workspace, id, run: run2, pending = [], withSums = false }) {
  const since = run2 ? { since: run2.started_at } : {};
  const path = at.access(workspace.id, { run_id: id, limit: 500, ...since });
  const log = useAll(path);
  const written2 = useAll(at.memories(workspace.id, { run_id: id, limit: 50 }));
  const isTold = T2(false);
  A2(() => {
    if (isTold.current) refresh(path);
    isTold.current = true;
  }, [run2?.status, run2?.write_count]);
  if (log.failure) return /* @__PURE__ */ a3(Refused, { failure: log.failure });
  if (!log.rows) return /* @__PURE__ */ a3(Waiting, { rows: 4, height: 32 });
  const isWhole = !log.hasMore;
  const steps = stepsOf(log.rows);
  const texts = new Map([...pending, ...written2.rows ?? []].map((memory) => [memory.id, memory.content]));
  return /* @__PURE__ */ a3($, { children: [
    withSums && /* @__PURE__ */ a3(Flow, { sums: sumsOf(steps), run: run2, isWhole }),
    steps.length === 0 && isWhole && /* @__PURE__ */ a3(Empty, { title: words.strip.nothing }),
    log.hasMore && !log.isLoading && /* @__PURE__ */ a3("p", { class: "notice", children: words.strip.beyond(log.rows.length) }),
    /* @__PURE__ */ a3("ol", { class: "strip", "aria-busy": log.isLoading, "aria-label": words.strip.inOrder, children: [
      steps.map((step) => /* @__PURE__ */ a3(RunStep, { step, run: run2, texts }, step.seq)),
      run2 && /* @__PURE__ */ a3(End2, { run: run2 })
    ] })
  ] });
}
function Flow({ sums, run: run2, isWhole }) {
  const { flow } = words.strip;
  const said4 = (count3) => isWhole ? String(count3) : words.unknown;
  const [end2, count2, isLost] = run2 ? endOf(run2) : [flow.committed, void 0, false];
  const cells = [
    [flow.recalled, said4(sums.recalled)],
    [flow.injected, said4(sums.injected)],
    [flow.written, said4(sums.written)],
    [end2, count2 === void 0 ? said4(sums.committed) : String(count2), isLost]
  ];
  return /* @__PURE__ */ a3("ol", { class: "flow", "aria-label": words.strip.atAGlance, children: cells.map(([label, value, isBad]) => /* @__PURE__ */ a3("li", { class: isBad ? "bad" : "", children: [
    /* @__PURE__ */ a3("b", { children: value }),
    /* @__PURE__ */ a3("span", { children: label })
  ] }, label)) });
}
function endOf(run2) {
  const { flow } = words.strip;
  if (run2.status === "open") return [flow.pending, run2.write_count, false];
  if (run2.status === "completed") return [flow.committed, run2.write_count, false];
  return [flow.dropped, run2.dropped_count, run2.dropped_count > 0];
}
function RunStep({ step, run: run2, texts }) {
  const { memories: memories3 } = step;
  const state = step.phase === "held" && run2 ? heldIn(run2) : "there";
  return /* @__PURE__ */ a3("li", { class: `deed ${step.phase}`, children: [
    /* @__PURE__ */ a3("time", { dateTime: step.at, title: exact(step.at), children: clockWithSeconds(step.at) }),
    /* @__PURE__ */ a3("div", { class: "deed-what", children: [
      /* @__PURE__ */ a3("p", { children: [
        words.strip.did(step),
        step.queryHash && /* @__PURE__ */ a3("span", { class: "quiet", title: words.reads.hash, children: [
          " ",
          /* @__PURE__ */ a3("code", { children: step.queryHash.slice(0, 8) })
        ] }),
        step.subject !== run2?.started_by && /* @__PURE__ */ a3("span", { class: "quiet", children: [
          " ",
          /* @__PURE__ */ a3("bdi", { children: words.strip.by(step.subject) })
        ] })
      ] }),
      memories3.length > 0 && /* @__PURE__ */ a3("ol", { class: "ranked", "aria-label": words.strip.memoriesOf(step.phase), children: [
        memories3.slice(0, SHOWN7).map(({ id, version }, place2) => /* @__PURE__ */ a3("li", { children: /* @__PURE__ */ a3(
          Chip2,
          {
            workspace: step.workspace,
            id,
            version,
            place: step.isRanked ? place2 + 1 : void 0,
            text: texts.get(id),
            state
          }
        ) }, id)),
        memories3.length > SHOWN7 && /* @__PURE__ */ a3("li", { class: "quiet", children: words.access.more(memories3.length - SHOWN7) })
      ] })
    ] })
  ] });
}
function heldIn({ status }) {
  return status === "completed" ? "there" : "gone";
}
function Chip2({ workspace, id, version, place: place2, text: text2, state }) {
  const named2 = /* @__PURE__ */ a3($, { children: [
    place2 !== void 0 && /* @__PURE__ */ a3("span", { class: "quiet", children: place2 }),
    " ",
    text2 === void 0 ? /* @__PURE__ */ a3("code", { children: id.slice(-6) }) : /* @__PURE__ */ a3(Content, { text: text2.length > CHIP ? `${text2.slice(0, CHIP)}…` : text2 })
  ] });
  if (state === "gone") {
    return /* @__PURE__ */ a3("span", { class: "chip-of", title: id, children: /* @__PURE__ */ a3("del", { children: named2 }) });
  }
  return /* @__PURE__ */ a3(Link, { to: `${workspacePath(workspace)}?m=${id}`, title: words.reads.version(id, version), children: named2 });
}
function End2({ run: run2 }) {
  const isLost = run2.dropped_count > 0;
  return /* @__PURE__ */ a3("li", { class: `deed ended ${run2.status === "open" ? "open" : ""} ${isLost ? "bad" : ""}`, children: [
    run2.finished_at ? /* @__PURE__ */ a3("time", { dateTime: run2.finished_at, title: exact(run2.finished_at), children: clockWithSeconds(run2.finished_at) }) : /* @__PURE__ */ a3(Countdown, { until: run2.times_out_at, brief: true, onOver: () => runsChanged(run2.workspace_id) }),
    /* @__PURE__ */ a3("div", { class: "deed-what", children: /* @__PURE__ */ a3("p", { children: [
      /* @__PURE__ */ a3(Status, { run: run2 }),
      words.strip.end(run2.status, run2.write_count, run2.dropped_count)
    ] }) })
  ] });
}
function RunLinks({ workspace, id, run: run2 }) {
  return /* @__PURE__ */ a3("p", { class: "answered-links", children: [
    run2 && /* @__PURE__ */ a3(Link, { to: `${workspacePath(workspace.id, "runs")}?run=${id}`, children: words.strip.asRun }),
    run2?.session_id && /* @__PURE__ */ a3(Link, { to: pathWith({ run: void 0, session: run2.session_id }), children: /* @__PURE__ */ a3("bdi", { children: words.strip.session(run2.session_id) }) }),
    /* @__PURE__ */ a3(Link, { to: `${workspacePath(workspace.id, "access")}?run_id=${id}`, children: words.runs.log }),
    /* @__PURE__ */ a3(Id, { id }),
    run2?.status === "open" && /* @__PURE__ */ a3(Button, { kind: "quiet", onClick: () => changed((path) => path.includes(id)), children: words.again })
  ] });
}
function SessionStrip({ workspace, session }) {
  const runs = useAll(at.runs(workspace.id, { session_id: session, limit: 200 }));
  const hits = useAll(at.session(workspace.id, { session_id: session, limit: 200 }));
  const failure = runs.failure ?? hits.failure;
  if (failure) return /* @__PURE__ */ a3(Refused, { failure });
  if (!runs.rows || !hits.rows) return /* @__PURE__ */ a3(Waiting, { rows: 4, height: 32 });
  const known = new Set(runs.rows.map((run2) => run2.run_id));
  const loose = hits.rows.filter((hit) => !(hit.run_id && known.has(hit.run_id)) && hit.method !== "commit_memory");
  const all = [
    ...runs.rows.map((run2) => ({ at: run2.started_at, run: run2 })),
    ...loose.map((hit) => ({ at: hit.created_at, hit }))
  ];
  all.sort((a4, b2) => Date.parse(a4.at) - Date.parse(b2.at));
  const isWhole = !runs.hasMore && !hits.hasMore;
  const isBusy = runs.isLoading || hits.isLoading;
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3(SessionFlow, { runs: runs.rows, loose, isWhole }),
    all.length === 0 && isWhole && /* @__PURE__ */ a3(Empty, { title: words.strip.nothingOfSession }),
    !isWhole && !isBusy && /* @__PURE__ */ a3("p", { class: "notice", children: words.strip.beyond(all.length) }),
    /* @__PURE__ */ a3("ol", { class: "strip", "aria-busy": isBusy, "aria-label": words.strip.inOrder, children: all.map(
      ({ run: run2, hit }) => run2 ? /* @__PURE__ */ a3(RunOfSession, { workspace, run: run2, isOpen: known.size <= UNFOLDED }, run2.run_id) : hit && /* @__PURE__ */ a3(Loose, { workspace, hit }, hit.id)
    ) }),
    /* @__PURE__ */ a3("p", { class: "answered-links", children: /* @__PURE__ */ a3(Link, { to: `${workspacePath(workspace.id)}?session_id=${encodeURIComponent(session)}`, children: words.strip.itsMemories }) })
  ] });
}
function SessionFlow({ runs, loose, isWhole }) {
  const { flow } = words.strip;
  const outside = loose.filter((hit) => hit.kind === "memory").length;
  const sum = (of) => runs.reduce((total2, run2) => total2 + of(run2), 0);
  const pending = sum((run2) => run2.status === "open" ? run2.write_count : 0);
  const dropped = sum((run2) => run2.dropped_count);
  const committed = outside + sum((run2) => run2.status === "open" ? 0 : run2.write_count);
  const cells = [
    [flow.runs(runs.length), runs.length],
    [flow.pending, pending],
    [flow.committed, committed],
    [flow.dropped, dropped, dropped > 0]
  ];
  return /* @__PURE__ */ a3("ol", { class: "flow tally", "aria-label": words.strip.atAGlance, children: cells.map(([label, count2, isLost]) => /* @__PURE__ */ a3("li", { class: isLost ? "bad" : "", children: [
    /* @__PURE__ */ a3("b", { children: isWhole ? count2 : words.unknown }),
    /* @__PURE__ */ a3("span", { children: label })
  ] }, label)) });
}
function RunOfSession({ workspace, run: run2, isOpen }) {
  return /* @__PURE__ */ a3("li", { class: "deed of-run", children: [
    /* @__PURE__ */ a3("time", { dateTime: run2.started_at, title: exact(run2.started_at), children: clockWithSeconds(run2.started_at) }),
    /* @__PURE__ */ a3("div", { class: "deed-what", children: [
      /* @__PURE__ */ a3("p", { children: [
        /* @__PURE__ */ a3(Link, { to: pathWith({ run: run2.run_id, session: void 0 }), children: /* @__PURE__ */ a3("bdi", { children: words.strip.run(run2.label, run2.run_id) }) }),
        " ",
        /* @__PURE__ */ a3(Status, { run: run2 }),
        " ",
        /* @__PURE__ */ a3("span", { class: "quiet", children: words.runs.counts(run2.status, run2.write_count, run2.dropped_count) })
      ] }),
      isOpen && /* @__PURE__ */ a3(RunStrip, { workspace, id: run2.run_id, run: run2 })
    ] })
  ] });
}
function Loose({ workspace, hit }) {
  const isMemory = hit.kind === "memory";
  return /* @__PURE__ */ a3("li", { class: `deed ${isMemory ? "written" : "noted"}`, children: [
    /* @__PURE__ */ a3("time", { dateTime: hit.created_at, title: exact(hit.created_at), children: clockWithSeconds(hit.created_at) }),
    /* @__PURE__ */ a3("div", { class: "deed-what", children: /* @__PURE__ */ a3("p", { children: [
      /* @__PURE__ */ a3("span", { class: "quiet", children: /* @__PURE__ */ a3("bdi", { children: hit.label }) }),
      " ",
      isMemory ? /* @__PURE__ */ a3(Link, { to: `${workspacePath(workspace.id)}?m=${hit.id}`, children: /* @__PURE__ */ a3(Content, { text: hit.content.slice(0, 240) }) }) : /* @__PURE__ */ a3(Content, { text: hit.content.slice(0, 240) })
    ] }) })
  ] });
}

// src/timeline/timeline.tsx
function Timeline({ workspace }) {
  const { query: query2 } = useRoute();
  const { text: text2, setText, typed } = useSearchText();
  const list = T2(null);
  const field = T2(null);
  const kind = query2.get("kind") ?? "";
  const order = typed === "" ? "" : query2.get("order") ?? "";
  const isReads = kind === "reads";
  const action = query2.get("read") ?? READS[0];
  const happened = isReads ? void 0 : at.session(workspace.id, { q: typed, kind, order, limit: 100 });
  const hits = usePages(happened);
  const reads = usePages(isReads ? readsPath(workspace, action) : void 0);
  const pages = isReads ? reads : hits;
  const run2 = query2.get("run") ?? void 0;
  const session = query2.get("session") ?? void 0;
  const isPulled = run2 !== void 0 || session !== void 0;
  const from = T2(void 0);
  const close = () => {
    goWith({ run: void 0, session: void 0 });
    document.getElementById("main")?.focus();
    focusRow(list.current, from.current);
  };
  useKeys({
    "/": () => field.current?.select(),
    "j": () => moveFocus(list.current, 1, pages.more),
    "k": () => moveFocus(list.current, -1),
    "p": () => pullOut(),
    "Escape": () => {
      if (isPulled) return close();
      return text2 === "" ? false : setText("");
    }
  });
  return /* @__PURE__ */ a3("div", { class: `with-drawer ${isPulled ? "drawn" : ""}`, children: [
    /* @__PURE__ */ a3("section", { class: "list", "aria-label": words.tabs.timeline, children: [
      /* @__PURE__ */ a3("div", { class: "list-head", children: /* @__PURE__ */ a3("div", { class: "filter-bar", children: /* @__PURE__ */ a3("div", { class: "filter-line", children: [
        !isReads && /* @__PURE__ */ a3("label", { class: "search", children: [
          /* @__PURE__ */ a3(Glass, {}),
          /* @__PURE__ */ a3(
            "input",
            {
              ref: field,
              type: "search",
              placeholder: words.timeline.search,
              "aria-label": words.timeline.search,
              spellcheck: false,
              value: text2,
              onInput: (event) => setText(event.currentTarget.value),
              onKeyDown: intoList(() => moveFocus(list.current, 1))
            }
          )
        ] }),
        /* @__PURE__ */ a3("div", { class: "segments", role: "group", "aria-label": words.timeline.kind, children: words.timeline.kinds.map(([each, label]) => /* @__PURE__ */ a3(
          "button",
          {
            type: "button",
            "aria-pressed": kind === each,
            onClick: () => goWith({ kind: each, read: void 0 }, { replace: true }),
            children: label
          },
          each
        )) }),
        isReads && /* @__PURE__ */ a3(
          Select,
          {
            label: words.reads.which,
            value: action,
            options: words.reads.kinds,
            onChange: (read3) => goWith({ read: read3 }, { replace: true })
          }
        ),
        typed !== "" && !isReads && /* @__PURE__ */ a3(
          Select,
          {
            label: words.memories.order,
            value: order,
            options: words.timeline.orders,
            onChange: (each) => goWith({ order: each }, { replace: true })
          }
        )
      ] }) }) }),
      /* @__PURE__ */ a3(
        "div",
        {
          class: `rows ${pages.isStale ? "stale" : ""}`,
          "aria-busy": pages.isLoading,
          ref: list,
          onFocusCapture: ({ target }) => {
            from.current = rowOf(target);
          },
          children: [
            pages.failure && /* @__PURE__ */ a3(Refused, { failure: pages.failure }),
            !pages.rows && !pages.failure && /* @__PURE__ */ a3(Waiting, { height: 32 }),
            isReads && reads.rows && /* @__PURE__ */ a3(Reads, { workspace, pages: reads }),
            !isReads && hits.rows?.length === 0 && /* @__PURE__ */ a3(Empty, { title: typed === "" ? words.timeline.none(workspace.name) : words.timeline.nothingMatches, children: typed === "" && /* @__PURE__ */ a3("p", { children: words.timeline.how }) }),
            !isReads && hits.rows && hits.rows.length > 0 && /* @__PURE__ */ a3(Days, { workspace, hits: hits.rows, query: typed, isByTime: order !== "relevance" }),
            pages.hasMore && /* @__PURE__ */ a3(Button, { kind: "quiet", class: "more", isBusy: pages.isLoading, onClick: pages.more, children: words.more })
          ]
        }
      )
    ] }),
    isPulled && /* @__PURE__ */ a3(Strip, { workspace, run: run2, session, onClose: close }, run2 ?? session)
  ] });
}
function rowOf(target) {
  const row = target instanceof Element && target.closest("li:has([data-row])")?.querySelector("[data-row]");
  return row ? row.dataset.row : void 0;
}
function Days({ workspace, hits, query: query2, isByTime }) {
  if (!isByTime) {
    return /* @__PURE__ */ a3("ol", { class: "hits", children: hits.map((hit) => /* @__PURE__ */ a3(Hit, { workspace, hit, query: query2 }, hit.id)) });
  }
  return /* @__PURE__ */ a3($, { children: byDay(hits, (hit) => hit.created_at).map(([name, those]) => /* @__PURE__ */ a3("section", { class: "day", children: [
    /* @__PURE__ */ a3("h2", { children: name }),
    /* @__PURE__ */ a3("ol", { class: "hits", children: those.map((hit) => /* @__PURE__ */ a3(Hit, { workspace, hit, query: query2 }, hit.id)) })
  ] }, name)) });
}
function Hit({ workspace, hit, query: query2 }) {
  const isMemory = hit.kind === "memory";
  const hasBody = hit.request_body != null || hit.response_body != null;
  const isFailed = hit.status !== null && hit.status !== void 0 && /^(error|failed|timeout|refused)/.test(hit.status);
  const line2 = /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("time", { dateTime: hit.created_at, title: clockWithSeconds(hit.created_at), children: clock(hit.created_at) }),
    /* @__PURE__ */ a3("span", { class: `label ${isMemory ? "of-memory" : ""}`, children: /* @__PURE__ */ a3("bdi", { children: hit.label }) }),
    /* @__PURE__ */ a3("span", { class: "hit-text", children: [
      /* @__PURE__ */ a3(Content, { text: hit.content, query: query2 }),
      hit.method && /* @__PURE__ */ a3("span", { class: "quiet", children: [
        " ",
        /* @__PURE__ */ a3("code", { children: /* @__PURE__ */ a3("bdi", { children: hit.method }) })
      ] })
    ] }),
    hit.status && hit.status !== "ok" && /* @__PURE__ */ a3("span", { class: `status ${isFailed ? "bad" : ""}`, children: hit.status })
  ] });
  if (isMemory) {
    return /* @__PURE__ */ a3("li", { children: [
      /* @__PURE__ */ a3(Link, { to: `${workspacePath(workspace.id)}?m=${hit.id}`, class: "hit", "data-row": hit.id, children: line2 }),
      /* @__PURE__ */ a3(Pull, { run: hit.run_id, session: hit.session_id })
    ] });
  }
  if (!hasBody) {
    return /* @__PURE__ */ a3("li", { children: [
      /* @__PURE__ */ a3("div", { class: "hit", tabIndex: -1, "data-row": hit.id, children: line2 }),
      /* @__PURE__ */ a3(Pull, { run: hit.run_id, session: hit.session_id })
    ] });
  }
  return /* @__PURE__ */ a3("li", { children: [
    /* @__PURE__ */ a3("details", { class: "unfold", children: [
      /* @__PURE__ */ a3("summary", { class: "hit", "data-row": hit.id, children: line2 }),
      hit.request_body != null && /* @__PURE__ */ a3(Body, { title: words.timeline.request, body: hit.request_body }),
      hit.response_body != null && /* @__PURE__ */ a3(Body, { title: words.timeline.response, body: hit.response_body })
    ] }),
    /* @__PURE__ */ a3(Pull, { run: hit.run_id, session: hit.session_id })
  ] });
}
function Body({ title, body }) {
  return /* @__PURE__ */ a3("div", { class: "body-of", children: [
    /* @__PURE__ */ a3("h3", { children: title }),
    /* @__PURE__ */ a3(Snippet, { text: JSON.stringify(body, null, 2), label: title })
  ] });
}

// src/places/preview.tsx
function Preview2({ trial }) {
  if (trial.failure) return /* @__PURE__ */ a3(Fault, { failure: trial.failure });
  if (trial.isLoading) return /* @__PURE__ */ a3(Waiting, { rows: 2, height: 32 });
  if (!trial.data) return null;
  const { affected, more } = trial.data;
  return /* @__PURE__ */ a3("section", { class: "preview", role: "status", "aria-label": words.preview.title, children: [
    /* @__PURE__ */ a3("h3", { children: words.preview.title }),
    affected.length === 0 && /* @__PURE__ */ a3("p", { children: words.preview.nothing }),
    affected.length > 0 && /* @__PURE__ */ a3("ul", { tabIndex: 0, "aria-label": words.preview.affected(affected.length + more), children: [
      affected.map((one) => /* @__PURE__ */ a3(Affected, { one }, one.workspace_id)),
      more > 0 && /* @__PURE__ */ a3("li", { class: "quiet", children: words.preview.more(more) })
    ] })
  ] });
}
function Affected({ one }) {
  return /* @__PURE__ */ a3("li", { children: [
    /* @__PURE__ */ a3("span", { class: "preview-name", children: [
      /* @__PURE__ */ a3("bdi", { children: one.name }),
      one.removed && /* @__PURE__ */ a3("span", { class: "status bad", children: [
        " ",
        words.preview.removed
      ] })
    ] }),
    /* @__PURE__ */ a3("span", { class: "preview-counts", children: [
      /* @__PURE__ */ a3(Counts, { counts: one.gains, sign: "+", name: words.preview.gains }),
      /* @__PURE__ */ a3(Counts, { counts: one.loses, sign: "−", name: words.preview.loses })
    ] }),
    /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3("bdi", { children: sentence(one.summary) }) })
  ] });
}
function Counts({ counts, sign, name }) {
  const given = SCOPES.map((scope) => [scope, counts[scope.toLowerCase()]]);
  return /* @__PURE__ */ a3($, { children: given.map(
    ([scope, count2]) => count2 === 0 ? null : /* @__PURE__ */ a3("span", { class: `scope ${scope.toLowerCase()}`, children: [
      /* @__PURE__ */ a3(ScopeSign, { scope }),
      /* @__PURE__ */ a3("span", { children: [
        /* @__PURE__ */ a3("span", { class: "unseen", children: [
          name,
          " "
        ] }),
        /* @__PURE__ */ a3("span", { "aria-hidden": "true", children: sign }),
        count2,
        " ",
        scope
      ] })
    ] }, scope)
  ) });
}

// src/places/change.tsx
function Change({ me, workspace }) {
  const menu = T2(null);
  const button = T2(null);
  const [doing, begin] = d2();
  const isRoot = workspace.path.length === 0 && workspace.id === workspace.org_id;
  const offered = [
    ...may(me, "edit_workspace") ? ["rename"] : [],
    ...may(me, "move_workspace") && !isRoot ? ["move"] : [],
    ...may(me, "remove_workspace") ? ["remove"] : []
  ];
  if (offered.length === 0) return null;
  const end2 = () => {
    begin(void 0);
    button.current?.focus();
  };
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("button", { type: "button", class: "button", popovertarget: "change", ref: button, children: words.change.menu }),
    /* @__PURE__ */ a3(
      "div",
      {
        id: "change",
        class: "menu change-menu",
        popover: "auto",
        ref: menu,
        onBeforeToggle: () => placeBelow2(menu.current, button.current),
        children: offered.map((what) => /* @__PURE__ */ a3(
          Button,
          {
            kind: "quiet",
            onClick: () => {
              menu.current?.hidePopover();
              begin(what);
            },
            children: words.change[what]
          },
          what
        ))
      }
    ),
    doing === "rename" && /* @__PURE__ */ a3(Rename, { workspace, onClose: end2 }),
    doing === "move" && /* @__PURE__ */ a3(Move, { workspace, onClose: end2 }),
    doing === "remove" && /* @__PURE__ */ a3(Remove, { workspace, onClose: end2 })
  ] });
}
function placeBelow2(menu, button) {
  const place2 = button?.getBoundingClientRect();
  if (!menu || !place2) return;
  menu.style.top = `${place2.bottom + 4}px`;
  menu.style.left = `${Math.max(8, Math.min(place2.left, innerWidth - 168))}px`;
}
function Rename({ workspace, onClose }) {
  const [name, setName] = d2(workspace.name);
  const [role, setRole] = d2(workspace.role ?? "");
  const [failure, setFailure] = d2();
  const [isBusy, setBusy] = d2(false);
  const submit = async (event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      await patchWorkspace(workspace.id, { name, role: role.trim() === "" ? null : role.trim() });
      say(words.change.renamed(name));
      onClose();
      treeChanged();
    } catch (error) {
      setFailure(asFailure(error));
      setBusy(false);
    }
  };
  const faults = [faultOf(failure, "name"), faultOf(failure, "role")];
  return /* @__PURE__ */ a3(Dialog, { title: words.change.renameTitle(workspace.name), size: "narrow", onClose, children: /* @__PURE__ */ a3("form", { onSubmit: (event) => void submit(event), children: [
    /* @__PURE__ */ a3(Field, { label: words.workspace.name, fault: faults[0], children: (attributes) => /* @__PURE__ */ a3(
      "input",
      {
        ...attributes,
        type: "text",
        required: true,
        autofocus: true,
        value: name,
        onInput: (event) => setName(event.currentTarget.value)
      }
    ) }),
    /* @__PURE__ */ a3(Field, { label: words.workspace.role, hint: words.workspace.roleHint, fault: faults[1], children: (attributes) => /* @__PURE__ */ a3("input", { ...attributes, type: "text", value: role, onInput: (event) => setRole(event.currentTarget.value) }) }),
    /* @__PURE__ */ a3(Fault, { failure: faults.some(Boolean) ? void 0 : failure }),
    /* @__PURE__ */ a3("footer", { children: [
      /* @__PURE__ */ a3(Button, { onClick: onClose, children: words.cancel }),
      /* @__PURE__ */ a3(Button, { kind: "first", type: "submit", isBusy, children: words.change.save })
    ] })
  ] }) });
}
function Move({ workspace, onClose }) {
  const [target, setTarget] = d2();
  const trial = useTrial(target?.id, (signal) => tryMove(workspace.id, target?.id ?? "", signal));
  const move = async () => {
    if (!target) return false;
    await patchWorkspace(workspace.id, { parent_id: target.id });
    say(words.change.moved(workspace.name, target.name));
    treeChanged();
    return true;
  };
  const { moveTitle, moveTo, moveHint, moveDo } = words.change;
  return /* @__PURE__ */ a3(
    Confirm,
    {
      title: moveTitle(workspace.name),
      kind: "first",
      label: trial.data && moveDo(workspace.descendant_count + 1),
      act: move,
      onClose,
      children: [
        /* @__PURE__ */ a3(Field, { label: moveTo, hint: moveHint, children: ({ id }) => /* @__PURE__ */ a3(
          Picker,
          {
            id,
            org: workspace.org_id,
            label: moveTo,
            placeholder: target?.name,
            isWanted: false,
            onPick: setTarget
          }
        ) }),
        /* @__PURE__ */ a3(Preview2, { trial })
      ]
    }
  );
}
function Remove({ workspace, onClose }) {
  const [children, setChildren] = d2("promote");
  const below3 = workspace.descendant_count;
  const wanted = below3 > 0 ? children : void 0;
  const trial = useTrial(wanted ?? "", (signal) => tryRemoval(workspace.id, wanted, signal));
  const { local, team, global } = workspace.memories;
  const remove = async () => {
    await removeWorkspace(workspace.id, wanted);
    say(words.change.removed(workspace.name));
    const parent2 = workspace.path.at(-1);
    go(parent2 ? workspacePath(parent2.id) : "./");
    treeChanged();
  };
  const going = below3 > 0 && children === "cascade" ? below3 + 1 : 1;
  const { removeTitle, removeWhat, removeDo } = words.change;
  return /* @__PURE__ */ a3(
    Confirm,
    {
      title: removeTitle(workspace.name),
      label: trial.data && removeDo(going),
      act: remove,
      onClose,
      children: [
        /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3("bdi", { children: removeWhat(workspace.name, local + team + global) }) }),
        below3 > 0 && /* @__PURE__ */ a3("fieldset", { class: "scope-choice", children: [
          /* @__PURE__ */ a3("legend", { children: words.change.below(below3) }),
          ["promote", "cascade"].map((each) => /* @__PURE__ */ a3("label", { class: "choice-line", children: [
            /* @__PURE__ */ a3("input", { type: "radio", name: "children", checked: children === each, onChange: () => setChildren(each) }),
            words.change[each]
          ] }, each))
        ] }),
        /* @__PURE__ */ a3(Preview2, { trial })
      ]
    }
  );
}

// src/places/snippets.ts
var json = (value) => JSON.stringify(value, null, 2);
var servers = (server) => json({ mcpServers: { orgmem: server } });
function snippets({ url, token, workspace }) {
  const mcp = `${url}/mcp`;
  const bearer = (variable) => ({ Authorization: `Bearer ${token ?? variable}` });
  const secret = token ?? "<a token for this workspace>";
  const texts = [
    ["claude-code", servers({ type: "http", url: mcp, headers: bearer("${ORGMEM_TOKEN}") })],
    ["claude-desktop", servers({ command: "orgmem", args: ["mcp"], env: { ORGMEM_URL: url, ORGMEM_TOKEN: secret } })],
    ["cursor", servers({ url: mcp, headers: bearer("${env:ORGMEM_TOKEN}") })],
    ["vscode", vscode(mcp, token)],
    ["gemini-cli", servers({ httpUrl: mcp, headers: bearer("${ORGMEM_TOKEN}") })],
    ["codex", codex(mcp, token)],
    ["rest", rest(url, token, workspace)],
    ["cli", cli(url, token)]
  ];
  return texts.map(([id, text2]) => ({ id, text: text2, ...words.clients[id] }));
}
function vscode(url, token) {
  const server = (value) => ({ orgmem: { type: "http", url, headers: { Authorization: `Bearer ${value}` } } });
  if (token !== void 0) return json({ servers: server(token) });
  const input = { type: "promptString", id: "orgmem-token", description: "Token for orgmem", password: true };
  return json({ servers: server("${input:orgmem-token}"), inputs: [input] });
}
function codex(url, token) {
  const authorization = token === void 0 ? 'bearer_token_env_var = "ORGMEM_TOKEN"' : `http_headers = { Authorization = "Bearer ${token}" }`;
  return `[mcp_servers.orgmem]
url = "${url}"
${authorization}`;
}
function rest(url, token, workspace) {
  const memories3 = `${url}/workspaces/${workspace.id}/memories`;
  const authorization = `-H "Authorization: Bearer ${token ?? "$ORGMEM_TOKEN"}"`;
  const body = `-H "Content-Type: application/json" -d '{"content": "…", "scope": "TEAM"}'`;
  return `curl -sS ${authorization} "${memories3}?q=deploy"
curl -sS ${authorization} ${body} ${memories3}`;
}
function cli(url, token) {
  const lines2 = [
    `export ORGMEM_URL=${url}`,
    token === void 0 ? void 0 : `export ORGMEM_TOKEN=${token}`,
    'orgmem search "deploy"',
    'orgmem commit --scope TEAM "…"'
  ];
  return lines2.filter((line2) => line2 !== void 0).join("\n");
}

// src/places/tokens.tsx
function tokensChanged(workspace) {
  changed((path) => path.startsWith(at.tokens(workspace.id)));
}
function Tokens({ workspace }) {
  const pages = usePages(at.tokens(workspace.id));
  const [asking, ask] = d2();
  const ending = useTrial(asking === "all" ? workspace.id : void 0, (signal) => tryRevocation(workspace.id, signal));
  const end2 = () => ask(void 0);
  const askAbout = (token) => {
    tokensChanged(workspace);
    ask(token);
  };
  const asked2 = pages.isLoading || asking === "all" ? void 0 : pages.rows?.find(({ jti }) => jti === asking?.jti);
  const open2 = asked2?.streams;
  const revoke = async () => {
    if (asking === "all") await revokeTokens(workspace.id);
    else if (asking) await revokeToken(asking.jti);
    say(asking === "all" ? words.tokens.allRevoked(workspace.name) : words.tokens.revoked);
    tokensChanged(workspace);
  };
  const { title, what, revokeAll, allTitle, oneTitle, oneDo } = words.tokens;
  return /* @__PURE__ */ a3("section", { "aria-busy": pages.isLoading, children: [
    /* @__PURE__ */ a3("h2", { children: title }),
    /* @__PURE__ */ a3("p", { class: "quiet", children: what }),
    pages.failure && /* @__PURE__ */ a3(Refused, { failure: pages.failure }),
    pages.rows?.length === 0 && /* @__PURE__ */ a3("p", { children: words.tokens.none }),
    pages.rows && pages.rows.length > 0 && /* @__PURE__ */ a3(Table2, { tokens: pages.rows, revoke: askAbout }),
    pages.hasMore && /* @__PURE__ */ a3(Button, { kind: "quiet", isBusy: pages.isLoading, onClick: pages.more, children: words.more }),
    /* @__PURE__ */ a3("div", { class: "actions", children: [
      /* @__PURE__ */ a3(Button, { kind: "danger", onClick: () => ask("all"), children: revokeAll }),
      /* @__PURE__ */ a3(Link, { class: "button quiet", to: `${workspacePath(workspace.id, "access")}?action=issue_token&only=1`, children: words.tokens.byWhom })
    ] }),
    asking === "all" && /* @__PURE__ */ a3(Confirm, { title: allTitle, size: "narrow", label: revokeAll, act: revoke, onClose: end2, children: [
      /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3("bdi", { children: words.tokens.allSure(workspace.name) }) }),
      /* @__PURE__ */ a3("p", { children: words.tokens.allEnds(ending.data?.tokens, ending.data?.streams) })
    ] }),
    asking && asking !== "all" && /* @__PURE__ */ a3(Confirm, { title: oneTitle, size: "narrow", label: oneDo, act: revoke, onClose: end2, children: [
      /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3("bdi", { children: words.tokens.oneSure(asking.subject) }) }),
      /* @__PURE__ */ a3("p", { children: words.tokens.oneEnds(open2) })
    ] })
  ] });
}
function Table2({ tokens, revoke }) {
  return /* @__PURE__ */ a3("table", { class: "table tokens", children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: words.tokens.subject }),
      /* @__PURE__ */ a3("th", { scope: "col", children: words.tokens.role }),
      /* @__PURE__ */ a3("th", { scope: "col", children: words.tokens.issued }),
      /* @__PURE__ */ a3("th", { scope: "col", title: words.tokens.usedWhat, children: words.tokens.used }),
      /* @__PURE__ */ a3("th", { scope: "col", children: words.tokens.expires }),
      /* @__PURE__ */ a3("th", { scope: "col", children: /* @__PURE__ */ a3("span", { class: "unseen", children: words.tokens.oneDo }) })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: tokens.map((token) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: /* @__PURE__ */ a3("bdi", { children: token.subject }) }),
      /* @__PURE__ */ a3("td", { children: token.role }),
      /* @__PURE__ */ a3("td", { children: /* @__PURE__ */ a3(Time, { at: token.issued_at }) }),
      /* @__PURE__ */ a3("td", { children: token.last_used_at ? /* @__PURE__ */ a3(Time, { at: token.last_used_at }) : words.tokens.unused }),
      /* @__PURE__ */ a3("td", { children: token.revoked_at ? /* @__PURE__ */ a3($, { children: [
        words.tokens.refused,
        " ",
        /* @__PURE__ */ a3(Time, { at: token.revoked_at })
      ] }) : /* @__PURE__ */ a3(Time, { at: token.expires_at }) }),
      /* @__PURE__ */ a3("td", { children: !token.revoked_at && /* @__PURE__ */ a3(Button, { kind: "quiet", onClick: () => revoke(token), children: words.tokens.oneAsk }) })
    ] }, token.jti)) })
  ] });
}

// src/places/connect.tsx
function Connect({ me, workspace }) {
  const [issued, setIssued] = d2();
  const [client, setClient] = d2("claude-code");
  const url = ROOT.href.replace(/\/$/, "");
  const all = snippets({ url, token: issued?.role === "agent" ? issued.token : void 0, workspace });
  const shown2 = all.find((each) => each.id === client) ?? all[0];
  const canIssue = may(me, "manage_tokens");
  return /* @__PURE__ */ a3("div", { class: "connect", children: [
    /* @__PURE__ */ a3("section", { children: [
      /* @__PURE__ */ a3("h2", { children: words.connect.token }),
      canIssue ? /* @__PURE__ */ a3(Issue, { me, workspace, issued, onIssued: setIssued }) : /* @__PURE__ */ a3("p", { children: words.connect.ask })
    ] }),
    /* @__PURE__ */ a3("section", { children: [
      /* @__PURE__ */ a3("h2", { children: words.connect.client }),
      /* @__PURE__ */ a3("div", { class: "segments wrap", role: "group", "aria-label": words.connect.client, children: all.map((each) => /* @__PURE__ */ a3("button", { type: "button", "aria-pressed": each.id === shown2?.id, onClick: () => setClient(each.id), children: each.name }, each.id)) }),
      shown2 && /* @__PURE__ */ a3($, { children: [
        /* @__PURE__ */ a3("p", { children: shown2.where }),
        /* @__PURE__ */ a3(Snippet, { text: shown2.text, label: shown2.name })
      ] }),
      issued?.role !== "agent" && /* @__PURE__ */ a3("p", { class: "quiet", children: words.connect.variable })
    ] }),
    canIssue && /* @__PURE__ */ a3(Tokens, { workspace })
  ] });
}
function Issue({ me, workspace, issued, onIssued }) {
  const [role, setRole] = d2("agent");
  const [lifetime, setLifetime] = d2("");
  const [failure, setFailure] = d2();
  const [isBusy, setBusy] = d2(false);
  const roles = may(me, "manage_admin_tokens") ? words.connect.roles : words.connect.roles.slice(0, 1);
  const issue = async (event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFailure(void 0);
    try {
      const asked2 = { role, ...lifetime === "" ? {} : { expires_in: Number(lifetime) } };
      onIssued((await issueToken(workspace.id, asked2)).data);
      tokensChanged(workspace);
    } catch (error) {
      setFailure(asFailure(error));
    } finally {
      setBusy(false);
    }
  };
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("form", { class: "issue", onSubmit: (event) => void issue(event), children: [
      /* @__PURE__ */ a3(Field, { label: words.connect.role, children: ({ id }) => /* @__PURE__ */ a3(Select, { id, value: role, options: roles, onChange: setRole }) }),
      /* @__PURE__ */ a3(Field, { label: words.connect.lifetime, children: ({ id }) => /* @__PURE__ */ a3(Select, { id, value: lifetime, options: words.connect.lifetimes, onChange: setLifetime }) }),
      /* @__PURE__ */ a3(Button, { kind: "first", type: "submit", isBusy, children: words.connect.issue })
    ] }),
    failure && /* @__PURE__ */ a3("p", { class: "fault", role: "alert", children: sentenceOf(failure) }),
    issued && /* @__PURE__ */ a3("div", { class: "issued", children: [
      /* @__PURE__ */ a3("p", { children: [
        /* @__PURE__ */ a3("strong", { children: words.connect.once }),
        " ",
        words.connect.until(issued.role, exact(issued.expires_at))
      ] }),
      /* @__PURE__ */ a3(Snippet, { text: issued.token, label: words.connect.token })
    ] })
  ] });
}

// src/places/workspace.tsx
var LISTS = ["memories", "state", "timeline", "runs", "access"];
function WorkspacePlace({ me, id, tab }) {
  const workspace = useResource(at.workspace(id));
  useTitle(words.tabs[tab], workspace.data?.name);
  const keys = TABS.map((each, index) => [String(index + 1), () => go(workspacePath(id, each))]);
  useKeys({ ...Object.fromEntries(keys), "c": () => go(`${workspacePath(id, "reach")}?with=`) });
  if (workspace.failure && !workspace.data) {
    return /* @__PURE__ */ a3("main", { id: "main", class: "work", tabIndex: -1, children: [
      /* @__PURE__ */ a3("h1", { children: words.workspace.absent }),
      /* @__PURE__ */ a3(Refused, { failure: workspace.failure })
    ] });
  }
  return /* @__PURE__ */ a3("main", { id: "main", class: `work ${LISTS.includes(tab) ? "of-list" : ""}`, tabIndex: -1, children: [
    /* @__PURE__ */ a3(Head, { me, workspace: workspace.data, id, tab }),
    workspace.data && /* @__PURE__ */ a3(View, { me, workspace: workspace.data, tab })
  ] });
}
function View({ me, workspace, tab }) {
  switch (tab) {
    case "memories":
      return /* @__PURE__ */ a3(Memories, { me, workspace });
    case "state":
      return /* @__PURE__ */ a3(State, { me, workspace });
    case "timeline":
      return /* @__PURE__ */ a3(Timeline, { workspace });
    case "reach":
      return /* @__PURE__ */ a3(Reach, { workspace });
    case "profiles":
      return /* @__PURE__ */ a3(Profiles, { me, workspace });
    case "runs":
      return /* @__PURE__ */ a3(Runs, { me, workspace });
    case "access":
      return /* @__PURE__ */ a3(AccessLog, { workspace });
    case "connect":
      return /* @__PURE__ */ a3(Connect, { me, workspace });
  }
}
function Head({ me, workspace, id, tab }) {
  const [isCreating, create] = d2(false);
  const tabs = T2(null);
  A2(() => tabs.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [tab]);
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("div", { class: "work-head", children: [
      /* @__PURE__ */ a3("div", { class: "work-title", children: [
        /* @__PURE__ */ a3("h1", { children: /* @__PURE__ */ a3("bdi", { children: workspace?.name ?? " " }) }),
        workspace?.role && /* @__PURE__ */ a3("p", { class: "role", children: /* @__PURE__ */ a3("bdi", { children: workspace.role }) })
      ] }),
      /* @__PURE__ */ a3(Id, { id }),
      workspace && /* @__PURE__ */ a3(Change, { me, workspace }),
      may(me, "add_child") && /* @__PURE__ */ a3(Button, { onClick: () => create(true), children: words.workspace.addChild })
    ] }),
    /* @__PURE__ */ a3("nav", { class: "tabs", "aria-label": words.workspace.views, ref: tabs, children: /* @__PURE__ */ a3("ul", { children: TABS.map((each) => /* @__PURE__ */ a3("li", { children: /* @__PURE__ */ a3(Link, { to: workspacePath(id, each), "aria-current": each === tab ? "page" : void 0, children: words.tabs[each] }) }, each)) }) }),
    isCreating && workspace && /* @__PURE__ */ a3(
      NewWorkspace,
      {
        title: words.workspace.addChild,
        onClose: () => create(false),
        create: (name, role) => createWorkspace({ name, parent_id: id, ...role === "" ? {} : { role } })
      }
    )
  ] });
}

// src/tree/lens.ts
function useLens(selected, lens) {
  const reach2 = useResource(selected && lens && at.reach(selected)).data;
  if (!reach2 || !lens) return void 0;
  const marks = /* @__PURE__ */ new Map();
  for (const { workspace_id, scope, reason } of reach2[lens]) {
    const mark = marks.get(workspace_id) ?? { scopes: [], reasons: [] };
    mark.scopes.push(scope);
    if (!mark.reasons.includes(reason)) mark.reasons.push(reason);
    marks.set(workspace_id, mark);
  }
  return marks;
}
function told2(mark, lens) {
  if (!mark) return words.lens.none(lens);
  return words.lens.mark(lens, mark.scopes.join(", "), mark.reasons.join("; "));
}

// src/tree/tree.tsx
var MARGIN = 8;
var TYPING_MS = 700;
function Tree(props) {
  const { rows: rows2, selected } = props;
  const ref = T2(null);
  const [active, setActive] = d2();
  const view = useView(ref);
  const typed = T2({ text: "", at: 0 });
  const index = indexOf(rows2, active ?? selected);
  const height = view.rowHeight;
  const first2 = Math.max(0, Math.floor(view.top / height) - MARGIN);
  const last = Math.min(rows2.length, Math.ceil((view.top + view.height) / height) + MARGIN);
  const shown2 = rows2.slice(first2, last);
  const activeRow = rows2[index];
  const isAway = activeRow && (index < first2 || index >= last);
  const goTo = (next) => {
    const row = rows2[Math.max(0, Math.min(rows2.length - 1, next))];
    if (!row) return;
    setActive(row.item.id);
    scrollTo(ref.current, rows2.indexOf(row), height);
  };
  A2(() => {
    setActive(void 0);
    const place2 = indexOf(rows2, selected);
    if (selected !== void 0 && rows2[place2]?.item.id === selected) scrollTo(ref.current, place2, height);
  }, [selected, rows2.length === 0]);
  const onKeyDown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !activeRow) return;
    const action = actionOf(event.key);
    if (action) action();
    else if (event.key.length === 1 && /\p{L}|\p{N}/u.test(event.key) && !isReserved(event)) typeAhead(event);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const actionOf = (key) => {
    const row = activeRow;
    switch (key) {
      case "ArrowDown":
      case "j":
        return () => goTo(index + 1);
      case "ArrowUp":
      case "k":
        return () => goTo(index - 1);
      case "Home":
        return () => goTo(0);
      case "End":
        return () => goTo(rows2.length - 1);
      case "PageDown":
        return () => goTo(index + Math.floor(view.height / height));
      case "PageUp":
        return () => goTo(index - Math.floor(view.height / height));
      case "ArrowRight":
        return () => {
          if (row.item.childCount > 0 && !row.isOpen) props.onToggle(row.item.id, true);
          else if (row.isOpen) goTo(index + 1);
        };
      case "ArrowLeft":
        return () => {
          if (row.isOpen) props.onToggle(row.item.id, false);
          else goTo(parentOf(rows2, index));
        };
      case "*":
        return () => props.onOpenAll(siblings(rows2, row));
      case "Enter":
      case " ":
      case "o":
        return () => props.onSelect(row.item.id);
      default:
        return void 0;
    }
  };
  const isReserved = (event) => /^[lcg?1-9]$/i.test(event.key) && event.timeStamp - typed.current.at > TYPING_MS;
  const typeAhead = (event) => {
    const isMore = event.timeStamp - typed.current.at < TYPING_MS;
    const text2 = (isMore ? typed.current.text : "") + event.key.toLowerCase();
    typed.current = { text: text2, at: event.timeStamp };
    const start = isMore ? index : index + 1;
    for (let step = 0; step < rows2.length; step += 1) {
      const place2 = (start + step) % rows2.length;
      if (rows2[place2]?.item.name.toLowerCase().startsWith(text2)) return goTo(place2);
    }
  };
  return /* @__PURE__ */ a3(
    "div",
    {
      ref,
      class: `tree ${props.marks ? "with-lens" : ""}`,
      role: "tree",
      tabIndex: 0,
      "aria-label": words.frame.workspaces,
      "aria-activedescendant": activeRow && rowId(activeRow),
      onKeyDown,
      children: /* @__PURE__ */ a3("div", { role: "none", style: { height: `${rows2.length * height}px` }, children: [
        isAway && /* @__PURE__ */ a3(TreeRow, { ...props, row: activeRow, place: index, height, isActive: true }),
        shown2.map((row, offset) => /* @__PURE__ */ a3(
          TreeRow,
          {
            ...props,
            row,
            place: first2 + offset,
            height,
            isActive: first2 + offset === index
          },
          row.item.id
        ))
      ] })
    }
  );
}
function TreeRow({ row, place: place2, height, isActive, selected, lens, marks, onToggle, onSelect }) {
  const { item, level, isOpen } = row;
  const mark = marks?.get(item.id);
  const isDim = row.isPassed || marks !== void 0 && !mark;
  const classes = `tree-row ${isDim ? "dim" : ""} ${isActive ? "active" : ""}`;
  return /* @__PURE__ */ a3(
    "div",
    {
      id: rowId(row),
      class: classes,
      role: "treeitem",
      "aria-level": level,
      "aria-setsize": row.size,
      "aria-posinset": row.position,
      "aria-expanded": item.childCount > 0 ? isOpen : void 0,
      "aria-selected": item.id === selected,
      title: lens && marks ? told2(mark, lens) : void 0,
      style: { top: `${place2 * height}px`, height: `${height}px`, "--level": level },
      onClick: () => onSelect(item.id),
      children: [
        /* @__PURE__ */ a3(
          "span",
          {
            class: `caret ${item.childCount > 0 ? "" : "none"} ${isOpen ? "open" : ""}`,
            onClick: (event) => {
              event.stopPropagation();
              onToggle(item.id, !isOpen);
            },
            children: /* @__PURE__ */ a3(Caret, {})
          }
        ),
        /* @__PURE__ */ a3("span", { class: "name", children: [
          /* @__PURE__ */ a3("bdi", { children: item.name }),
          item.role !== void 0 && /* @__PURE__ */ a3("span", { class: "role", children: [
            /* @__PURE__ */ a3(Pause, {}),
            /* @__PURE__ */ a3("bdi", { children: item.role })
          ] })
        ] }),
        marks && lens ? /* @__PURE__ */ a3($, { children: [
          /* @__PURE__ */ a3(Signs, { mark }),
          /* @__PURE__ */ a3(Pause, { text: told2(mark, lens) })
        ] }) : /* @__PURE__ */ a3($, { children: [
          /* @__PURE__ */ a3(Pause, {}),
          /* @__PURE__ */ a3("span", { class: "count", children: [
            item.memories ?? (row.isPassed ? "" : words.unknown),
            item.memories !== void 0 && /* @__PURE__ */ a3("span", { class: "unseen", children: [
              " ",
              words.frame.memoriesOf(item.memories)
            ] })
          ] }),
          /* @__PURE__ */ a3(Pause, {}),
          /* @__PURE__ */ a3("span", { class: "age", children: item.lastWrite && /* @__PURE__ */ a3(Time, { at: item.lastWrite, brief: true }) })
        ] })
      ]
    }
  );
}
function Signs({ mark }) {
  return /* @__PURE__ */ a3("span", { class: "signs", children: mark?.scopes.map((scope) => /* @__PURE__ */ a3("span", { class: `sign ${scope.toLowerCase()}`, children: /* @__PURE__ */ a3(ScopeSign, { scope }) }, scope)) });
}
function Pause({ text: text2 = "" }) {
  return /* @__PURE__ */ a3("span", { class: "unseen", children: [
    ", ",
    text2
  ] });
}
var rowId = (row) => `tree-${row.item.id}`;
function indexOf(rows2, id) {
  if (id === void 0) return 0;
  return Math.max(0, rows2.findIndex((row) => row.item.id === id));
}
function parentOf(rows2, index) {
  const level = rows2[index]?.level ?? 1;
  for (let above = index - 1; above >= 0; above -= 1) {
    if ((rows2[above]?.level ?? 1) < level) return above;
  }
  return index;
}
function siblings(rows2, row) {
  const beside = rows2.filter((other) => other.item.parent === row.item.parent && other.item.childCount > 0);
  return beside.map((other) => other.item.id);
}
function scrollTo(element, index, height) {
  if (!element) return;
  const top = index * height;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (top + height > element.scrollTop + element.clientHeight) element.scrollTop = top + height - element.clientHeight;
}
function useView(ref) {
  const [view, set2] = d2({ top: 0, height: 800, rowHeight: 28 });
  F2(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => {
      const rowHeight = parseFloat(getComputedStyle(element).getPropertyValue("--row-height")) || 28;
      set2((old) => {
        const next = { top: element.scrollTop, height: element.clientHeight, rowHeight };
        const isSame2 = old.top === next.top && old.height === next.height && old.rowHeight === next.rowHeight;
        return isSame2 ? old : next;
      });
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    const density = new MutationObserver(measure);
    density.observe(document.documentElement, { attributes: true, attributeFilter: ["data-density"] });
    return () => {
      watch.disconnect();
      density.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, []);
  return view;
}

// src/tree/pane.tsx
var FOUND = 200;
function TreePane({ me, selected, filter }) {
  const store = useStore(me);
  const { query: query2 } = useRoute();
  const [text2, setText] = d2("");
  const wanted = useTyped(text2.trim());
  const lens = selected === void 0 ? void 0 : lensOf(query2);
  const marks = useLens(selected, lens);
  const found = usePages(wanted === "" ? void 0 : at.workspaces({ q: wanted, limit: FOUND }));
  const isFiltered = wanted !== "";
  const all = w2(() => rows(store.items, store.roots, store.open), [store, store.version]);
  const hits = w2(() => foundRows(found.rows ?? []), [found.rows]);
  const rows2 = isFiltered ? hits : all;
  A2(() => {
    if (selected !== void 0 && store.isLoaded) void store.reveal(selected);
  }, [selected, store.isLoaded, store.items]);
  useKeys({
    "l": () => toggle("reads", lens, selected),
    "Shift+l": () => toggle("read_by", lens, selected),
    "Escape": () => {
      if (text2 === "") return false;
      setText("");
      return true;
    }
  });
  const select = (id) => go(targetOf(id));
  return /* @__PURE__ */ a3("div", { class: "tree-pane", children: [
    /* @__PURE__ */ a3("div", { class: "tree-filter", children: [
      /* @__PURE__ */ a3(Glass, {}),
      /* @__PURE__ */ a3(
        "input",
        {
          ref: filter,
          type: "text",
          placeholder: words.frame.filter,
          "aria-label": words.frame.filter,
          value: text2,
          onInput: (event) => setText(event.currentTarget.value)
        }
      ),
      text2 !== "" && /* @__PURE__ */ a3(IconButton, { label: words.frame.clearFilter, onClick: () => setText(""), children: /* @__PURE__ */ a3(Cross, {}) })
    ] }),
    /* @__PURE__ */ a3(LensBar, { lens, selected }),
    store.failure && /* @__PURE__ */ a3(Refused, { failure: store.failure }),
    !store.isLoaded && !store.failure && /* @__PURE__ */ a3(Waiting, { rows: 8, height: 28 }),
    isFiltered && found.failure && /* @__PURE__ */ a3(Refused, { failure: found.failure }),
    isFiltered && found.rows && /* @__PURE__ */ a3(Found, { rows: found.rows, hasMore: found.hasMore, onMore: found.more }),
    store.isLoaded && !isFiltered && rows2.length === 0 && /* @__PURE__ */ a3(Empty, { title: words.frame.noWorkspaces }),
    rows2.length > 0 && /* @__PURE__ */ a3(
      Tree,
      {
        rows: rows2,
        selected,
        lens,
        marks,
        onToggle: (id, isOpen) => store.toggle(id, isOpen),
        onOpenAll: (ids) => store.openAll(ids),
        onSelect: select
      }
    )
  ] });
}
function Found({ rows: rows2, hasMore, onMore }) {
  return /* @__PURE__ */ a3("p", { class: "tree-found", role: "status", children: [
    rows2.length === 0 ? words.frame.noneFound : words.frame.found(rows2.length, hasMore),
    " ",
    hasMore && /* @__PURE__ */ a3(Button, { kind: "quiet", onClick: onMore, children: words.more })
  ] });
}
function LensBar({ lens, selected }) {
  const workspace = useResource(selected && at.workspace(selected)).data;
  const option = (which, label) => /* @__PURE__ */ a3(
    "button",
    {
      type: "button",
      "aria-pressed": lens === which,
      disabled: selected === void 0 && which !== void 0,
      onClick: () => goWith({ lens: which }, { replace: true }),
      children: label
    }
  );
  return /* @__PURE__ */ a3("div", { class: "lens-bar", children: [
    /* @__PURE__ */ a3("div", { class: "segments", role: "group", "aria-label": words.lens.title, children: [
      option(void 0, words.lens.off),
      option("reads", words.lens.reads),
      option("read_by", words.lens.readBy)
    ] }),
    lens && workspace && /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3("bdi", { children: words.lens.sentence(lens, workspace.name) }) })
  ] });
}
function lensOf(query2) {
  const lens = query2.get("lens");
  return lens === "reads" || lens === "read_by" ? lens : void 0;
}
function toggle(which, lens, selected) {
  if (selected === void 0) return false;
  goWith({ lens: lens === which ? void 0 : which }, { replace: true });
}
function targetOf(id) {
  const { place: place2, query: query2 } = current();
  const tab = place2.at === "workspace" ? place2.tab : "memories";
  const lens = query2.get("lens");
  return `${workspacePath(id, tab)}${lens ? `?lens=${lens}` : ""}`;
}
function useStore(me) {
  const [, redraw] = d2(0);
  const store = w2(() => storeOf(me), [me.jti]);
  A2(() => store.listen(() => redraw((count2) => count2 + 1)), [store]);
  return store;
}

// src/frame/help.tsx
function Help({ onClose }) {
  return /* @__PURE__ */ a3(Dialog, { title: words.help.title, onClose, children: /* @__PURE__ */ a3("div", { class: "help", children: words.help.groups(MOD).map(([title, rows2]) => /* @__PURE__ */ a3("section", { children: [
    /* @__PURE__ */ a3("h3", { children: title }),
    /* @__PURE__ */ a3("table", { children: /* @__PURE__ */ a3("tbody", { children: rows2.map(([keys, does]) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: keys.map((key) => /* @__PURE__ */ a3("kbd", { children: key }, key)) }),
      /* @__PURE__ */ a3("td", { children: does })
    ] }, does)) }) })
  ] }, title)) }) });
}

// src/frame/jump.tsx
function Jump({ me, onClose }) {
  const [text2, setText] = d2("");
  const [active, setActive] = d2(0);
  const wantsId = isId(text2);
  const id = P2();
  const among = (workspaces) => wantsId ? byId(text2.trim()) : [...places2(me, text2), ...workspaces.map(toWorkspace)];
  const chosenOf = (choices2) => Math.min(active, choices2.length - 1);
  const found = useFound(wantsId ? "" : text2, (workspaces) => {
    const settled = among(workspaces);
    take2(settled[chosenOf(settled)]);
  });
  const choices = among(found.workspaces);
  const chosen = chosenOf(choices);
  const take2 = (choice) => {
    if (!choice) return;
    onClose();
    choice.run();
  };
  const onKeyDown = (event) => {
    if (event.key === "ArrowDown") setActive(Math.min(chosen + 1, choices.length - 1));
    else if (event.key === "ArrowUp") setActive(Math.max(chosen - 1, 0));
    else if (event.key === "Enter") found.enter();
    else return;
    event.preventDefault();
  };
  return /* @__PURE__ */ a3(Dialog, { title: words.jump.title, size: "narrow", onClose, children: /* @__PURE__ */ a3("div", { class: "jump", children: [
    /* @__PURE__ */ a3(
      "input",
      {
        type: "text",
        role: "combobox",
        autofocus: true,
        autocomplete: "off",
        spellcheck: false,
        "aria-expanded": "true",
        "aria-controls": id,
        "aria-label": words.jump.label,
        "aria-activedescendant": choices.length > 0 ? `${id}-${chosen}` : void 0,
        placeholder: words.jump.placeholder,
        value: text2,
        onInput: (event) => {
          setText(event.currentTarget.value);
          setActive(0);
        },
        onKeyDown
      }
    ),
    /* @__PURE__ */ a3("ul", { id, role: "listbox", "aria-label": words.jump.found, children: choices.map((choice, index) => /* @__PURE__ */ a3(
      "li",
      {
        id: `${id}-${index}`,
        role: "option",
        "aria-selected": index === chosen,
        ref: (element) => {
          if (index === chosen) element?.scrollIntoView({ block: "nearest" });
        },
        onPointerMove: () => setActive(index),
        onClick: () => take2(choice),
        children: [
          /* @__PURE__ */ a3("bdi", { children: choice.name }),
          /* @__PURE__ */ a3("span", { class: "about", children: /* @__PURE__ */ a3("bdi", { children: choice.about }) })
        ]
      },
      `${choice.name} ${choice.about}`
    )) }),
    choices.length === 0 && text2.trim() !== "" && !found.isLoading && /* @__PURE__ */ a3("p", { class: "quiet", children: words.jump.nothing })
  ] }) });
}
function toWorkspace(workspace) {
  const { place: place2 } = current();
  const tab = place2.at === "workspace" ? place2.tab : "memories";
  const about = workspace.path.map((step) => step.name).join(" ▸ ");
  return { name: workspace.name, about, run: () => go(workspacePath(workspace.id, tab)) };
}
function byId(id) {
  const { place: place2 } = current();
  const workspace = { name: words.jump.workspaceById, about: id, run: () => go(workspacePath(id)) };
  if (place2.at !== "workspace") return [workspace];
  const memory = () => go(`${workspacePath(place2.id)}?m=${id}`);
  return [{ name: words.jump.memoryById, about: id, run: memory }, workspace];
}
function places2(me, text2) {
  const { place: place2 } = current();
  const all = [{ name: words.frame.orgs(me.role), about: words.jump.place, run: () => go("./") }];
  if (may(me, "read_access_log")) all.push({ name: words.access.audit, about: words.jump.place, run: () => go("audit") });
  if (may(me, "read_server")) all.push({ name: words.system.title, about: words.jump.place, run: () => go("system") });
  if (place2.at === "workspace") {
    const { id } = place2;
    for (const [tab, name] of Object.entries(words.tabs)) {
      all.push({ name, about: words.jump.here, run: () => go(workspacePath(id, tab)) });
    }
    if (may(me, "write_memories")) {
      all.push({ name: words.write.do, about: words.jump.here, run: () => goWith({ write: "1" }) });
    }
  }
  const wanted = text2.trim().toLowerCase();
  return all.filter((choice) => choice.name.toLowerCase().includes(wanted));
}

// src/frame/resizer.tsx
var LEAST = 220;
var MOST3 = 560;
var STEP = 20;
var between = (width) => Math.max(LEAST, Math.min(MOST3, Math.round(width)));
function Resizer() {
  const ref = T2(null);
  const width = preferences.current.treeWidth;
  const resize = (to) => {
    prefer({ treeWidth: between(to) });
    ref.current?.setAttribute("aria-valuenow", String(between(to)));
  };
  return /* @__PURE__ */ a3(
    "div",
    {
      ref,
      class: "resizer",
      role: "separator",
      "aria-orientation": "vertical",
      "aria-label": words.frame.resize,
      "aria-valuemin": LEAST,
      "aria-valuemax": MOST3,
      "aria-valuenow": width,
      tabIndex: 0,
      onKeyDown: (event) => {
        const step = event.key === "ArrowLeft" ? -STEP : event.key === "ArrowRight" ? STEP : 0;
        if (step === 0) return;
        event.preventDefault();
        resize(preferences.current.treeWidth + step);
      },
      onPointerDown: (event) => event.currentTarget.setPointerCapture(event.pointerId),
      onPointerMove: (event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) resize(event.clientX);
      }
    }
  );
}

// src/frame/who.tsx
var SOON_MS = 15 * 6e4;
function usePreferences() {
  const [shown2, set2] = d2(preferences.current);
  A2(() => whenPreferencesChange(() => set2(preferences.current)), []);
  return shown2;
}
function Who({ me, onHelp }) {
  const now = useNow();
  const liked = usePreferences();
  const endsSoon = Date.parse(me.expires_at) - now < SOON_MS;
  return /* @__PURE__ */ a3($, { children: [
    endsSoon && /* @__PURE__ */ a3("span", { class: "ends-soon", children: words.who.endsSoon(relative(me.expires_at, now)) }),
    /* @__PURE__ */ a3("button", { type: "button", class: "who", popovertarget: "who", children: [
      /* @__PURE__ */ a3("bdi", { children: me.subject }),
      /* @__PURE__ */ a3("span", { class: "role", children: me.role })
    ] }),
    /* @__PURE__ */ a3("div", { id: "who", class: "menu", popover: "auto", children: [
      /* @__PURE__ */ a3("dl", { children: [
        /* @__PURE__ */ a3("dt", { children: words.who.role }),
        /* @__PURE__ */ a3("dd", { children: words.who.may(me.role, me.workspace_name ?? void 0) }),
        /* @__PURE__ */ a3("dt", { children: words.who.until }),
        /* @__PURE__ */ a3("dd", { title: me.expires_at, children: relative(me.expires_at, now) })
      ] }),
      /* @__PURE__ */ a3("label", { children: [
        words.who.theme,
        /* @__PURE__ */ a3(
          Select,
          {
            value: liked.theme,
            options: words.who.themes,
            onChange: (theme) => prefer({ theme })
          }
        )
      ] }),
      /* @__PURE__ */ a3("label", { children: [
        words.who.density,
        /* @__PURE__ */ a3(
          Select,
          {
            value: liked.density,
            options: words.who.densities,
            onChange: (density) => prefer({ density })
          }
        )
      ] }),
      /* @__PURE__ */ a3("label", { children: [
        words.who.singleKeys,
        /* @__PURE__ */ a3(
          "input",
          {
            type: "checkbox",
            checked: liked.singleKeys,
            onChange: (event) => prefer({ singleKeys: event.currentTarget.checked })
          }
        )
      ] }),
      /* @__PURE__ */ a3("div", { class: "menu-actions", children: [
        /* @__PURE__ */ a3(Button, { kind: "quiet", onClick: onHelp, children: words.help.title }),
        /* @__PURE__ */ a3(Button, { kind: "quiet", onClick: () => void leave(), children: words.who.leave })
      ] })
    ] })
  ] });
}

// src/frame/frame.tsx
function Frame({ me }) {
  const { place: place2 } = useRoute();
  const [open2, setOpen] = d2();
  const [isTreeShown, showTree] = d2(false);
  const filter = T2(null);
  const selected = place2.at === "workspace" ? place2.id : void 0;
  A2(() => showTree(false), [selected, place2.at]);
  useKeys({
    "Mod+k": () => setOpen("jump"),
    "?": () => setOpen("help"),
    "g t": () => {
      showTree(true);
      filter.current?.focus();
    },
    "g s": () => may(me, "read_server") && go("system"),
    "g a": () => may(me, "read_access_log") ? go("audit") : false,
    "g h": () => go("./"),
    "Escape": () => isTreeShown ? showTree(false) : false
  });
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("button", { type: "button", class: "skip", onClick: () => document.getElementById("main")?.focus(), children: words.frame.skip }),
    /* @__PURE__ */ a3("header", { class: "top", children: [
      /* @__PURE__ */ a3(IconButton, { class: "tree-toggle", label: words.frame.tree, expanded: isTreeShown, onClick: () => showTree(!isTreeShown), children: /* @__PURE__ */ a3(Bars, {}) }),
      /* @__PURE__ */ a3(Link, { to: "./", class: "mark", children: [
        /* @__PURE__ */ a3("img", { src: "icon.svg", alt: "", width: "20", height: "20" }),
        "orgmem"
      ] }),
      /* @__PURE__ */ a3(Crumbs, { place: place2 }),
      /* @__PURE__ */ a3("button", { type: "button", class: "jump-button", onClick: () => setOpen("jump"), children: [
        /* @__PURE__ */ a3(Glass, {}),
        /* @__PURE__ */ a3("span", { children: words.jump.button }),
        /* @__PURE__ */ a3("kbd", { children: [
          MOD,
          "K"
        ] })
      ] }),
      /* @__PURE__ */ a3(LiveMark, { me, selected }),
      /* @__PURE__ */ a3(Who, { me, onHelp: () => setOpen("help") })
    ] }),
    /* @__PURE__ */ a3("div", { class: `body ${isTreeShown ? "with-tree" : ""}`, children: [
      /* @__PURE__ */ a3("nav", { class: "side", "aria-label": words.frame.places, children: [
        /* @__PURE__ */ a3("ul", { class: "rail", children: [
          /* @__PURE__ */ a3("li", { children: /* @__PURE__ */ a3(RailLink, { to: "./", isCurrent: place2.at === "home", children: [
            /* @__PURE__ */ a3(Branches, {}),
            words.frame.orgs(me.role)
          ] }) }),
          may(me, "read_access_log") && /* @__PURE__ */ a3("li", { children: /* @__PURE__ */ a3(RailLink, { to: "audit", isCurrent: place2.at === "audit", children: [
            /* @__PURE__ */ a3(List, {}),
            words.access.audit
          ] }) }),
          may(me, "read_server") && /* @__PURE__ */ a3("li", { children: /* @__PURE__ */ a3(RailLink, { to: "system", isCurrent: place2.at === "system", children: [
            /* @__PURE__ */ a3(Gauge, {}),
            words.system.title
          ] }) })
        ] }),
        /* @__PURE__ */ a3(TreePane, { me, selected, filter }),
        /* @__PURE__ */ a3(Resizer, {})
      ] }),
      /* @__PURE__ */ a3(Work, { me, place: place2 })
    ] }),
    open2 === "jump" && /* @__PURE__ */ a3(Jump, { me, onClose: () => setOpen(void 0) }),
    open2 === "help" && /* @__PURE__ */ a3(Help, { onClose: () => setOpen(void 0) })
  ] });
}
function RailLink({ to, isCurrent, children }) {
  return /* @__PURE__ */ a3(Link, { to, "aria-current": isCurrent ? "page" : void 0, children });
}
function Work({ me, place: place2 }) {
  switch (place2.at) {
    case "home":
      return /* @__PURE__ */ a3(Home, { me });
    case "system":
      return /* @__PURE__ */ a3(System, {});
    case "audit":
      return /* @__PURE__ */ a3(Audit, { me });
    case "workspace":
      return /* @__PURE__ */ a3(WorkspacePlace, { me, id: place2.id, tab: place2.tab }, place2.id);
    case "nowhere":
      return /* @__PURE__ */ a3(Nowhere, {});
  }
}
function Crumbs({ place: place2 }) {
  const id = place2.at === "workspace" ? place2.id : void 0;
  const workspace = useResource(id && at.workspace(id)).data;
  if (!workspace || place2.at !== "workspace") return /* @__PURE__ */ a3("div", { class: "crumbs" });
  return /* @__PURE__ */ a3("nav", { class: "crumbs", "aria-label": words.frame.path, children: /* @__PURE__ */ a3("ol", { children: [
    workspace.path.map((step) => /* @__PURE__ */ a3("li", { children: /* @__PURE__ */ a3(Link, { to: workspacePath(step.id, place2.tab), children: /* @__PURE__ */ a3("bdi", { children: step.name }) }) }, step.id)),
    /* @__PURE__ */ a3("li", { "aria-current": "page", children: /* @__PURE__ */ a3("bdi", { children: workspace.name }) })
  ] }) });
}

// src/frame/sign-in.tsx
function SignIn() {
  useTitle(words.signIn.title);
  const refused2 = codeRefused();
  return /* @__PURE__ */ a3("main", { class: "alone", children: [
    /* @__PURE__ */ a3("img", { src: "icon.svg", alt: "", width: "40", height: "40" }),
    /* @__PURE__ */ a3("h1", { children: words.signIn.title }),
    refused2 && /* @__PURE__ */ a3("p", { class: "notice", role: "alert", children: sentenceOf(refused2) }),
    /* @__PURE__ */ a3(TokenForm, {})
  ] });
}
function SignInAgain({ me }) {
  return /* @__PURE__ */ a3(Dialog, { title: words.signIn.ended, size: "narrow", onClose: () => {
  }, isForced: true, children: [
    /* @__PURE__ */ a3("p", { children: words.signIn.again(me.subject) }),
    /* @__PURE__ */ a3(TokenForm, {})
  ] });
}
function TokenForm() {
  const [token, setToken] = d2("");
  const [failure, setFailure] = d2();
  const [isBusy, setBusy] = d2(false);
  const submit = async (event) => {
    event.preventDefault();
    if (isBusy || token.trim() === "") return;
    setBusy(true);
    try {
      await enter(token);
    } catch (error) {
      setFailure(asFailure(error));
      setBusy(false);
    }
  };
  return /* @__PURE__ */ a3("form", { onSubmit: (event) => void submit(event), children: [
    /* @__PURE__ */ a3(Field, { label: words.signIn.token, hint: words.signIn.where, fault: failure && sentenceOf(failure), children: (attributes) => /* @__PURE__ */ a3(
      "input",
      {
        ...attributes,
        type: "password",
        autocomplete: "off",
        spellcheck: false,
        autofocus: true,
        required: true,
        value: token,
        onInput: (event) => setToken(event.currentTarget.value)
      }
    ) }),
    /* @__PURE__ */ a3(Button, { kind: "first", type: "submit", isBusy, children: words.signIn.do })
  ] });
}

// src/frame/app.tsx
function App() {
  const me = useResource(at.me);
  const hasEnded2 = useSessionEnded();
  if (me.data) {
    return /* @__PURE__ */ a3($, { children: [
      /* @__PURE__ */ a3(Frame, { me: me.data }),
      hasEnded2 && /* @__PURE__ */ a3(SignInAgain, { me: me.data }),
      /* @__PURE__ */ a3(Toasts, {})
    ] });
  }
  if (hasEnded2) return /* @__PURE__ */ a3(SignIn, {});
  if (me.failure && !me.isLoading) {
    return /* @__PURE__ */ a3("main", { class: "alone", children: /* @__PURE__ */ a3(Refused, { failure: me.failure }) });
  }
  return /* @__PURE__ */ a3("div", { class: "top" });
}

// src/main.tsx
applyPreferences();
var place = document.getElementById("console");
if (place && isEmbedded) {
  askAs(handed);
  if (parent !== window) handed.begin();
  Q(/* @__PURE__ */ a3(Embedded, {}), place);
} else if (place) {
  await useCodeOfLink();
  Q(/* @__PURE__ */ a3(App, {}), place);
}
